import { withPlainHyphens } from './characters.ts';

/** Area code and number: a mobile has nine digits and begins with 9, a landline has eight. */
const NATIONAL = '([1-9][1-9](?:9\\d{8}|[2-5]\\d{7}))';
/** Optional country code, trunk prefix 0 and two digits of a carrier. */
const BRAZILIAN = new RegExp(`^(?:\\+?55)?(?:0(?:\\d\\d)?)?${NATIONAL}$`);
const WITH_COUNTRY = /^\+55([1-9][1-9]\d{8,9})$/;
const FOREIGN = /^\+(?!55)[1-9]\d{6,14}$/;
const OTHER = /^\d{10,15}$/;

/**
 * Returns a phone number in its stored form: area code and number for Brazil, `+` and digits for another
 * country. Returns null when the text is not a phone number. The length distinguishes area code 55 from
 * country code 55.
 */
export function normalisePhone(text: string): string | null {
  const bare = withPlainHyphens(text)
    .replace(/[\s()./-]/g, '')
    .replace(/^00/, '+');
  const national = BRAZILIAN.exec(bare)?.[1] ?? WITH_COUNTRY.exec(bare)?.[1];
  if (national) return national;
  return FOREIGN.test(bare) || OTHER.test(bare) ? bare : null;
}
