import { dayIn, oneIn, pageIn, type Search, textIn } from '../search.ts';

export const statusClasses = ['2xx', '4xx', '5xx'] as const;
export const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
/** Left out: with an API key, as pages read much by themselves. */
export const sources = ['session', 'all'] as const;

export interface RequestsSearch {
  status?: (typeof statusClasses)[number] | undefined;
  method?: (typeof methods)[number] | undefined;
  source?: (typeof sources)[number] | undefined;
  search?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  page?: number | undefined;
}

export function requestsSearch(search: Search): RequestsSearch {
  return {
    status: oneIn(search, 'status', statusClasses),
    method: oneIn(search, 'method', methods),
    source: oneIn(search, 'source', sources),
    search: textIn(search, 'search')?.slice(0, 200),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
    page: pageIn(search),
  };
}
