import { plainOf, sameAs } from '@plataforma/contracts/search-words';
import type MiniSearch from 'minisearch';
import type { Options, SearchResult } from 'minisearch';

/** An entry of the search index: a section of a page, or an endpoint. */
export interface Found {
  id: number;
  address: string;
  title: string;
  pageTitle: string;
  text: string;
  /** The beginning of the text, which the search results show. */
  begin: string;
}

/** The options of the search index. A reader of the index must use the options with which it was built. */
export const searchOptions: Options<Found> = {
  fields: ['title', 'pageTitle', 'text'],
  storeFields: ['address', 'title', 'pageTitle', 'begin'],
  // Removes accents from indexed words and from queries, so that the query "devolucao" finds "devolução".
  processTerm: (term) => plainOf(term),
  searchOptions: { prefix: true, fuzzy: 0.15, boost: { title: 4, pageTitle: 2 } },
};

/** Words that a search ignores, because they are in most questions and on all pages. */
const EMPTY = new Set(
  [
    'a o as os um uma de do da dos das e em no na com por para pra que se como',
    'the an of to in on with for and how do i',
  ].flatMap((words) => words.split(' ')),
);

/**
 * Returns the sections that contain every word of the query, followed by the sections that contain some of
 * the words.
 */
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
