import { oneIn, pageIn, type Search } from '../search.ts';

export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;

export interface DeliverySearch {
  status?: (typeof deliveryStatuses)[number] | undefined;
  page?: number | undefined;
}

export function deliverySearch(search: Search): DeliverySearch {
  return { status: oneIn(search, 'status', deliveryStatuses), page: pageIn(search) };
}
