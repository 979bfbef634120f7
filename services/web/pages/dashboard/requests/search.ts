import { period, type Search, searchOf, textIn } from '../search.ts';

export const requestFilters = {
  status: ['2xx', '4xx', '5xx'],
  method: ['GET', 'POST', 'PATCH', 'DELETE'],
  /** Without a source the list shows requests with an API key, because pages read much by themselves. */
  source: ['session', 'all'],
} as const;

const shortTextIn = (search: Search, name: string) => textIn(search, name)?.slice(0, 200);

export const requestsSearch = searchOf({ ...requestFilters, search: shortTextIn, ...period });
