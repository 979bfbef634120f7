const HIDDEN = /\r\n|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** As `paint` writes them. */
const COLOUR = new RegExp(`(${String.fromCharCode(27)}\\[(?:[12]|22|3[12369])m)`);

/** Escapes characters that a terminal would obey or hide, as JSON does, because texts are other people's. */
export function shownSafely(text: string): string {
  return text.replace(HIDDEN, (found) => (found.endsWith('\n') ? found : escaped(found)));
}

/** The same for one line. */
export function inLine(text: string): string {
  return text.replace(HIDDEN, escaped);
}

export function painted(text: string): string {
  const parts = text.split(COLOUR);
  return parts.map((part, at) => (at % 2 === 1 ? part : shownSafely(part))).join('');
}

function escaped(found: string): string {
  return found.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
