/**
 * Characters without a visible shape: zero-width and direction-control characters, fillers, tags, enclosing
 * marks (The Unicode Standard 16, 5.21 and 23). A whole emoji matches first, because its joiner must stay.
 */
const INVISIBLE =
  /(\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d(?=\p{Extended_Pictographic}))?)|[\p{Default_Ignorable_Code_Point}\p{Me}\u2800\ufff9-\ufffb]/gu;
const DASH = /[\p{Pd}\u2212]/gu;
const MARK_WITHOUT_LETTER = /(^|\s)\p{M}+/gu;
/**
 * Matches more than thirty marks on one letter, more than any language uses (UAX #15, 13: Stream-Safe Text
 * Format). The two half-width signs count as marks, because NFKC and NFKD turn them into marks.
 */
const MARKS_TOO_MANY = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
const LINE_BREAKS = /[\t-\r\u0085\u2028\u2029]+/g;

/**
 * Returns a text in a normalization form. Keeps at most thirty marks of a letter, because the time to
 * normalize marks grows with the square of their number.
 */
export function normalized(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(MARKS_TOO_MANY, '$1').normalize(form);
}

/** Removes invisible characters. An emoji stays unchanged. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '$1');
}

/** Returns a copied number, key or address with a hyphen for every dash, and without invisible characters. */
export function withPlainHyphens(text: string): string {
  return withoutInvisible(text).replace(DASH, '-');
}

/** Returns a text as people read it: composed (NFC), on one line, without invisible characters. */
export function visibleLine(text: string): string {
  const line = text.replace(LINE_BREAKS, ' ');
  return normalized(withoutInvisible(line).replace(MARK_WITHOUT_LETTER, '$1').trim(), 'NFC');
}

/**
 * Removes the line breaks, indentation and invisible characters that a message program added to a copied
 * code.
 */
export function unwrapped(code: string): string {
  const lines = withoutInvisible(code).split(LINE_BREAKS);
  const isIndented = lines.slice(1).every((line) => /^\s{2}/.test(line) || line.trim() === '');
  // If no line is indented, a blank beside a line break belongs to the code and stays. The message program
  // broke the line at this blank.
  return (isIndented ? lines.map((line) => line.trim()) : lines).join('').trim();
}
