import type { Options } from 'minisearch';

/** A section of a page, or an endpoint. */
export interface Found {
  id: number;
  address: string;
  title: string;
  /** The page it is on. */
  place: string;
  text: string;
  /** The text's beginning, which is shown. */
  begin: string;
}

/** The same for who writes an index and for who reads it. */
export const searchOptions: Options<Found> = {
  fields: ['title', 'place', 'text'],
  storeFields: ['address', 'title', 'place', 'begin'],
  // "devolucao" finds "devolução", in either language.
  processTerm: (term) => term.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
  searchOptions: { prefix: true, fuzzy: 0.15, boost: { title: 4, place: 2 }, combineWith: 'AND' },
};
