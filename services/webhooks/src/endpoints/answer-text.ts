import { mask } from '@plataforma/observe';

const STORED_BYTES = 1024;
/**
 * The bytes of a response that are masked. Masking is slow, so only the beginning is masked. Masking shortens
 * a text, so this limit is above the limit of stored bytes.
 */
const MASKED_BYTES = 4 * 1024;

/** A value at the end of a cut text, whose second half may be missing. */
const BROKEN_VALUE = /:\s{0,9}\\?"[^"]*$/;
/** An e-mail address or a number at the end of a cut text, whose second half may be missing. */
const BROKEN_ADDRESS_OR_NUMBER = /[^\s"@]{0,64}@\S{0,64}$|\d[\d.()/ -]{0,30}$/;
/**
 * The characters at the end of a text that are searched for a cut address or number. The expression takes
 * quadratic time in the length.
 */
const LONGEST_BROKEN_END = 129;

/**
 * Returns the first KiB of a response as text to store and show. Sensitive data is masked, NUL and invalid
 * UTF-8 are replaced. An incomplete end is removed, because masking does not recognise half a number.
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
