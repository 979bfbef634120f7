import { hasCnpjShape, hasCpfShape, normaliseDocument } from '@plataforma/kernel';
import { centsIn } from './forms/amount.ts';
import { plainOf } from './search-words.ts';

/** A word of a search. A row must match every word, by its text or by its amount. */
export interface SearchWord {
  /** The word in plain form, and the word as payers’ names are stored: `davila` for `d'Ávila`. */
  texts: readonly string[];
  /** The cents that the word means, such as `45,50` or `R$45`. Null for other words. */
  amount: number | null;
}

const SIGNS_OF_NAMES = /[.,'’&-]/g;

/** Returns the different words that a person typed into a search field. Signs alone are no words. */
export function searchWordsOf(search: string): SearchWord[] {
  const words = plainOf(search)
    .replace(/r\$\s*(?=\d)/g, 'r$')
    .split(/\s+/);
  return [...new Set(words)].flatMap((word) => {
    const name = word.replace(SIGNS_OF_NAMES, '');
    if (name === '') return [];
    const amount = /^r\$|[.,]/.test(word) ? centsIn(word.replace('r$', '')) : null;
    return [{ texts: [...new Set([word, name])], amount }];
  });
}

/** Returns the CPF or CNPJ that a search consists of, or null. */
export function documentIn(search: string): string | null {
  const document = normaliseDocument(search);
  return hasCpfShape(document) || hasCnpjShape(document) ? document : null;
}
