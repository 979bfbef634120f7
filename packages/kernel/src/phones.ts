import { withPlainHyphens } from './characters.ts';

/** Area code and number: a mobile has nine digits and begins with 9, a landline has eight. */
const NATIONAL = '([1-9][1-9](?:9\\d{8}|[2-5]\\d{7}))';
/** With country code, trunk prefix 0 and the two digits of a carrier, each of which may be missing. */
const BRAZILIAN = new RegExp(`^(?:\\+?55)?(?:0(?:\\d\\d)?)?${NATIONAL}$`);
const WITH_COUNTRY = /^\+55([1-9][1-9]\d{8,9})$/;
const FOREIGN = /^\+(?!55)[1-9]\d{6,14}$/;
const OTHER = /^\d{10,15}$/;

/**
 * Returns a phone number as it is stored and compared: area code and number of a Brazilian one, `+` and the digits of
 * another country's. Null: it is none. Area code 55 differs from country code 55 by the length of what follows.
 */
export function normalisePhone(text: string): string | null {
  const bare = withPlainHyphens(text)
    .replace(/[\s()./-]/g, '')
    .replace(/^00/, '+');
  const national = BRAZILIAN.exec(bare)?.[1] ?? WITH_COUNTRY.exec(bare)?.[1];
  if (national) return national;
  return FOREIGN.test(bare) || OTHER.test(bare) ? bare : null;
}
