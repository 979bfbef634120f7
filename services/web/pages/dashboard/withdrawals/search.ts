import { dayIn, oneIn, pageIn, type Search, textIn } from '../search.ts';

const statuses = ['PENDING', 'APPROVED', 'PROCESSING', 'COMPLETED', 'FAILED', 'REJECTED'] as const;
const methods = ['PIX', 'TED'] as const;

/** The filters of the list, as its URL has them. */
export interface WithdrawalsSearch {
  status?: (typeof statuses)[number] | undefined;
  method?: (typeof methods)[number] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  search?: string | undefined;
  page?: number | undefined;
}

export const withdrawalFilters = { statuses, methods };

export function withdrawalsSearch(search: Search): WithdrawalsSearch {
  return {
    status: oneIn(search, 'status', statuses),
    method: oneIn(search, 'method', methods),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
    search: textIn(search, 'search'),
    page: pageIn(search),
  };
}
