import { period, searchOf, textIn } from '../search.ts';

export const withdrawalFilters = {
  status: ['PENDING', 'APPROVED', 'PROCESSING', 'COMPLETED', 'FAILED', 'REJECTED'],
  method: ['PIX', 'TED'],
} as const;

export const withdrawalsSearch = searchOf({ ...withdrawalFilters, ...period, search: textIn });
