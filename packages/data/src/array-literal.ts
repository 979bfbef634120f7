/**
 * Matches a text that needs no quotes in an array literal of PostgreSQL: an id, a name, a number, or a time
 * in ISO 8601.
 */
const PLAIN = /^(?!null$)[\w.:+-]+$/i;

/**
 * Returns an array literal without quotes. In a batch of ids, reading and writing quoted elements would cost
 * client and server more than all other work. Returns undefined when an element needs quotes or has another
 * type.
 */
export function plainArray(elements: readonly unknown[]): string | undefined {
  let text = '';
  for (const element of elements) {
    const written = plain(element);
    if (written === undefined) return undefined;
    text += text === '' ? written : `,${written}`;
  }
  return `{${text}}`;
}

function plain(element: unknown): string | undefined {
  if (typeof element === 'string') return PLAIN.test(element) ? element : undefined;
  if (element instanceof Date) return element.toISOString();
  if (element === null || element === undefined) return 'NULL';
  return typeof element === 'number' || typeof element === 'boolean' ? String(element) : undefined;
}
