const HIDDEN = /\r\n|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Matches the escape sequences of colours that `paint` writes. */
const COLOUR = new RegExp(`(${String.fromCharCode(27)}\\[(?:[12]|22|3[12369])m)`);

/**
 * Escapes control characters and invisible characters as JSON does, because buyers and other people wrote the
 * texts. Keeps line breaks.
 */
export function shownSafely(text: string): string {
  return text.replace(HIDDEN, (found) => (found.endsWith('\n') ? found : escaped(found)));
}

/**
 * Escapes control characters and invisible characters, including line breaks, so that the text stays on one
 * line.
 */
export function inLine(text: string): string {
  return text.replace(HIDDEN, escaped);
}

export function painted(text: string): string {
  const pieces = text.split(COLOUR);
  return pieces.map((part, at) => (at % 2 === 1 ? part : shownSafely(part))).join('');
}

function escaped(found: string): string {
  return found.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
