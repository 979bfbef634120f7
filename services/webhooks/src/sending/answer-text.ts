import { mask } from '@plataforma/observe';

const STORED_BYTES = 1024;
/**
 * The number of bytes at the start of a response that are masked, because masking is slow. The number exceeds
 * STORED_BYTES, because masking can shorten the text.
 */
const MASKED_BYTES = 4 * 1024;

/**
 * Matches a JSON text value at the end of a cut response, because the second half of the value may be
 * missing.
 */
const BROKEN_VALUE = /:\s{0,9}\\?"[^"]*$/;
/**
 * Matches an e-mail address or a number at the end of a cut response, because its second half may be missing.
 */
const BROKEN_ADDRESS_OR_NUMBER = /[^\s"@]{0,64}@\S{0,64}$|\d[\d.()/ -]{0,30}$/;
/**
 * The search for a cut e-mail address or number takes quadratic time. It therefore covers only this many
 * characters at the end of a response.
 */
const LONGEST_BROKEN_END = 129;

/**
 * Returns the first KiB of a response as text to store and show. Masks sensitive data and replaces NUL and
 * invalid UTF-8. Removes an incomplete end, because masking does not recognise half a number.
 */
export function answerText(body: Buffer, isCut = false): string {
  if (body.length === 0) return '';
  const text = decoded(body.subarray(0, MASKED_BYTES)).replaceAll('\0', '\ufffd');
  const masked = mask(isCut ? withoutBrokenEnd(text) : text);
  const isWhole = body.length <= MASKED_BYTES;
  return firstBytes(isWhole ? masked : masked.slice(0, -STORED_BYTES));
}

function withoutBrokenEnd(text: string): string {
  const whole = text.replace(BROKEN_VALUE, '');
  const end = whole.slice(-LONGEST_BROKEN_END);
  return whole.slice(0, whole.length - end.length) + end.replace(BROKEN_ADDRESS_OR_NUMBER, '');
}

function firstBytes(text: string): string {
  return decoded(Buffer.from(text).subarray(0, STORED_BYTES));
}

/** Decodes the bytes as a stream, so that an incomplete character at the end is dropped. */
function decoded(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true });
}
