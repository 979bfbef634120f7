/** Ids, names, numbers, times in ISO 8601: what PostgreSQL reads in an array's literal as it is, without quotes. */
const PLAIN = /^(?!null$)[\w.:+-]+$/i;

/**
 * An array as PostgreSQL reads it, with no quotes around its elements: to escape each of them, and to read that, costs both
 * sides more than all else of a batch of ids. Undefined where an element needs them, or is none of these sorts.
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
