import { oneIn, pageIn, type Search } from '../search.ts';

export const disputeStatuses = [
  'OPEN',
  'UNDER_REVIEW',
  'RESOLVED_MERCHANT',
  'RESOLVED_CUSTOMER',
  'CANCELLED',
] as const;

export interface DisputesSearch {
  status?: (typeof disputeStatuses)[number] | undefined;
  page?: number | undefined;
}

export function disputesSearch(search: Search): DisputesSearch {
  return { status: oneIn(search, 'status', disputeStatuses), page: pageIn(search) };
}
