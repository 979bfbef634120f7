/**
 * Characters without a shape of their own: zero-width and direction-control characters, fillers, tags, enclosing marks
 * (Unicode 16, 5.21 and 23). The first alternative is an emoji, whose joiner and variation selector are seen.
 */
const INVISIBLE =
  /(\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d(?=\p{Extended_Pictographic}))?)|[\p{Default_Ignorable_Code_Point}\p{Me}\u2800\ufff9-\ufffb]/gu;
const DASH = /[\p{Pd}\u2212]/gu;
const MARK_WITHOUT_LETTER = /(^|\s)\p{M}+/gu;
/**
 * More marks than any language puts on one letter (UAX #15, 13: Stream-Safe Text Format). The two half-width signs
 * become marks in the forms NFKC and NFKD.
 */
const MARKS_TOO_MANY = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;
const LINE_BREAKS = /[\t-\r\u0085\u2028\u2029]+/g;

/**
 * Returns a text in a normalization form. Sorting the marks of one letter takes time by the square of their number, so
 * that at most thirty of them stay.
 */
export function normalized(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replace(MARKS_TOO_MANY, '$1').normalize(form);
}

/** Removes what cannot be seen; an emoji stays as it was sent. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '$1');
}

/** Returns a number, a key or an address as it is typed, of one that was copied: every dash is a hyphen. */
export function withPlainHyphens(text: string): string {
  return withoutInvisible(text).replace(DASH, '-');
}

/** Returns a text as people read it: composed (NFC), on one line, without invisible characters. */
export function visibleLine(text: string): string {
  const line = text.replace(LINE_BREAKS, ' ');
  return normalized(withoutInvisible(line).replace(MARK_WITHOUT_LETTER, '$1').trim(), 'NFC');
}

/** Returns a copied code without what a message program added: line breaks, indentation and invisible characters. */
export function unwrapped(code: string): string {
  const lines = withoutInvisible(code).split(LINE_BREAKS);
  const isIndented = lines.slice(1).every((line) => /^\s{2}/.test(line) || line.trim() === '');
  // A single blank at a line break belongs to the code, which was wrapped there.
  return (isIndented ? lines.map((line) => line.trim()) : lines).join('').trim();
}
