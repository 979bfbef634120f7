import { dayIn, oneIn, pageIn, type Search } from '../search.ts';

export const linkStatuses = ['ACTIVE', 'INACTIVE', 'EXPIRED', 'USED_UP'] as const;

/** The filters of the list, as its URL has them. */
export interface LinksSearch {
  status?: (typeof linkStatuses)[number] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  page?: number | undefined;
}

export function linksSearch(search: Search): LinksSearch {
  return {
    status: oneIn(search, 'status', linkStatuses),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
    page: pageIn(search),
  };
}
