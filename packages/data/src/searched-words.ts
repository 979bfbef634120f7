import { type ComposedQuery, composeSql } from './composed.ts';

/** A word of a search: the spellings to find, and its amount in cents if it can be read as one. */
interface Word {
  texts: readonly string[];
  amount: number | null;
}

/**
 * Narrows the rows to those that match every word, in any order. `text` is an SQL expression of plain text,
 * and `amount` a column of cents. Without words, no row matches. `strpos` takes half the time of LIKE.
 */
export function narrowToWords(
  rows: ComposedQuery,
  words: readonly Word[],
  { text, amount }: { text: string; amount: string },
): ComposedQuery {
  if (words.length === 0) return rows.whereRaw('false');
  for (const word of words) {
    rows.where((any) => {
      for (const each of word.texts) any.orWhereRaw(`strpos(${text}, ?) > 0`, each);
      if (word.amount !== null) any.orWhere(amount, word.amount);
    });
  }
  return rows;
}

/** Escapes a text for LIKE, so that its signs match themselves. */
export function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** Keeps the rows for which `one` finds a row. Runs `one` for each row with its index, never as a join. */
export function narrowByOne(rows: ComposedQuery, one: ComposedQuery): ComposedQuery {
  return rows.whereRaw('(?)', [one.clone().select(composeSql.raw('true')).limit(1)]);
}
