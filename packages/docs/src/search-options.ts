import { plainOf, sameAs } from '@plataforma/contracts/search-words';
import type MiniSearch from 'minisearch';
import type { Options, SearchResult } from 'minisearch';

/** A section of a page, or an endpoint. */
export interface Found {
  id: number;
  address: string;
  title: string;
  pageTitle: string;
  text: string;
  /** The beginning of the text, shown in the results. */
  begin: string;
}

/** The builder and the reader of an index must use the same options. */
export const searchOptions: Options<Found> = {
  fields: ['title', 'pageTitle', 'text'],
  storeFields: ['address', 'title', 'pageTitle', 'begin'],
  // "devolucao" finds "devolução" in either language.
  processTerm: (term) => plainOf(term),
  searchOptions: { prefix: true, fuzzy: 0.15, boost: { title: 4, pageTitle: 2 } },
};

/** Words of most questions and of all pages. */
const EMPTY = new Set(
  'a o as os um uma de do da dos das e em no na com por para pra que se como the an of to in on with for and how do i'.split(
    ' ',
  ),
);

/** Finds sections with every word of the query first, then sections with some. */
export function searchIn(index: MiniSearch<Found>, query: string): SearchResult[] {
  const all = query.split(/[\s,;?!"“”()]+/).filter((term) => term !== '');
  const full = all.filter((term) => !EMPTY.has(plainOf(term)));
  const queries = (full.length === 0 ? all : full).map((term) => ({
    queries: [term, { queries: [...sameAs(plainOf(term))], prefix: false, fuzzy: false }],
  }));
  const every = index.search({ combineWith: 'AND', queries });
  const found = new Set(every.map(({ id }) => id));
  return [...every, ...index.search({ queries }).filter(({ id }) => !found.has(id))];
}
