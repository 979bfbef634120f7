import { hasCnpjShape, hasCpfShape, normaliseDocument } from '@plataforma/kernel';
import { centsIn } from './forms/amount.ts';
import { plainOf } from './search-words.ts';

/** A word of a search. A row must match every word, by its text or by its amount. */
export interface SearchWord {
  /** The word in plain form, and the word as payers’ names are stored: `davila` for `d'Ávila`. */
  texts: readonly string[];
  /** The amount in cents if the word is an amount, such as `45,50` or `R$45`. Otherwise null. */
  amount: number | null;
}

const SIGNS_OF_NAMES = /[.,'’&-]/g;

/** Returns the distinct words of a search. Omits words that consist only of `SIGNS_OF_NAMES`. */
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
