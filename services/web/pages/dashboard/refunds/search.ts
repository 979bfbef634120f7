import { dayIn, oneIn, pageIn, type Search } from '../search.ts';

export const refundStatuses = ['PROCESSING', 'REFUNDED', 'FAILED'] as const;

export interface RefundsSearch {
  status?: (typeof refundStatuses)[number] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  page?: number | undefined;
}

export function refundsSearch(search: Search): RefundsSearch {
  return {
    status: oneIn(search, 'status', refundStatuses),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
    page: pageIn(search),
  };
}
