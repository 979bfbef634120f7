import { mask } from '@plataforma/observe';

const STORED_BYTES = 1024;
/**
 * The bytes that are masked: few because masking is slow, but more than are stored because masking shortens
 * text.
 */
const MASKED_BYTES = 4 * 1024;

/** The ends of a cut text: a value, an address or a number whose second half may be missing. */
const BROKEN_VALUE = /:\s{0,9}\\?"[^"]*$/;
const BROKEN_ADDRESS_OR_NUMBER = /[^\s"@]{0,64}@\S{0,64}$|\d[\d.()/ -]{0,30}$/;
/** The longest such end, because the expression takes quadratic time in the length. */
const LONGEST_BROKEN_END = 129;

/**
 * Returns the first KiB of an answer as text to store and show: masked, without NUL, invalid UTF-8 replaced.
 * An incomplete end is left out, because masking does not recognise half a number.
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

/** Decodes as a stream, so that an incomplete character at the end is left out. */
function decoded(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true });
}
