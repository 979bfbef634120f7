import { oneIn, pageIn, type Search } from '../search.ts';

export const withdrawalStatuses = [
  'PENDING',
  'APPROVED',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'REJECTED',
] as const;

export interface WithdrawalsSearch {
  status?: (typeof withdrawalStatuses)[number] | undefined;
  page?: number | undefined;
}

export function withdrawalsSearch(search: Search): WithdrawalsSearch {
  return { status: oneIn(search, 'status', withdrawalStatuses), page: pageIn(search) };
}
