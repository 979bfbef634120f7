import { mask } from '@plataforma/observe';

const STORED_BYTES = 1024;
/** Masking takes time, so it reads only the beginning; more bytes than are stored, because masking shortens. */
const MASKED_BYTES = 4 * 1024;

/** The ends of a text that broke off: a value, an address or a number may lack its other half. */
const BROKEN_VALUE = /:\s{0,9}\\?"[^"]*$/;
const BROKEN_ADDRESS_OR_NUMBER = /[^\s"@]{0,64}@\S{0,64}$|\d[\d.()/ -]{0,30}$/;
/** No longer than these ends are, as their expression takes time by the square of the length. */
const LONGEST_BROKEN_END = 129;

/**
 * The first KiB of an answer as text that can be stored and shown: masked, without NUL, whatever is no UTF-8 replaced.
 * Nothing that is cut in two is shown, as the half of a number would not be known for one.
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

/** As a stream: the beginning of a character at the end is left out. */
function decoded(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true });
}
