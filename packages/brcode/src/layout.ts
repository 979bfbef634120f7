export const PIX_GUI = 'br.gov.bcb.pix';
export const NO_TXID = '***';

export const MAX_CODE_LENGTH = 512;
export const MAX_NAME_LENGTH = 25;
export const MAX_CITY_LENGTH = 15;
const MAX_LOCATION_LENGTH = 77;
export const MAX_VALUE_LENGTH = 99;

const LOCATION = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?\/[a-z0-9._~!$&'()*+,;=:@%/-]+$/i;

/**
 * Returns whether the text is `host[:port]/path` as field 26-25 requires: no scheme, no query, no fragment,
 * at most 77 characters (MPI 2.10.0 §2.5.2). A port is allowed for a provider on the same machine. The caller
 * must decide which hosts it may call.
 */
export function isLocation(text: string): boolean {
  return text.length <= MAX_LOCATION_LENGTH && LOCATION.test(text);
}

/** Writes one object of the layout: two digits of tag, two of length, the value (MPI 2.10.0 §2.5). */
export function writeField(tag: string, value: string): string {
  if (value.length < 1 || value.length > MAX_VALUE_LENGTH) {
    throw new RangeError(`field ${tag} must hold 1 to ${MAX_VALUE_LENGTH} characters`);
  }
  return `${tag}${String(value.length).padStart(2, '0')}${value}`;
}

export type Fields = ReadonlyMap<string, string>;

const HEADER = /^\d{4}$/;
const HEADER_LENGTH = 4;

/**
 * Splits a code or template into its objects. Returns the values by tag, in the order of the text. Lengths
 * count characters. Returns MALFORMED unless the text consists of complete objects with values of 1 to 99
 * characters.
 */
export function readFields(text: string): Fields | 'MALFORMED' | 'DUPLICATE_TAG' {
  const fields = new Map<string, string>();
  let position = 0;
  while (position < text.length) {
    const header = text.slice(position, position + HEADER_LENGTH);
    if (!HEADER.test(header)) return 'MALFORMED';
    const tag = header.slice(0, 2);
    const length = Number(header.slice(2));
    const start = position + HEADER_LENGTH;
    if (length === 0 || start + length > text.length) return 'MALFORMED';
    if (fields.has(tag)) return 'DUPLICATE_TAG';
    fields.set(tag, text.slice(start, start + length));
    position = start + length;
  }
  return fields;
}
