const HIDDEN = /\r\n|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The colours that `paint` writes. */
const COLOUR = new RegExp(`(${String.fromCharCode(27)}\\[(?:[12]|22|3[12369])m)`);

/** Escapes control and invisible characters as JSON does, because the texts come from other people. */
export function shownSafely(text: string): string {
  return text.replace(HIDDEN, (found) => (found.endsWith('\n') ? found : escaped(found)));
}

/** Escapes the characters of one line, including line breaks. */
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
