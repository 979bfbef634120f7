import { period, searchOf } from '../search.ts';

export const refundStatuses = ['PROCESSING', 'REFUNDED', 'FAILED'] as const;

export const refundsSearch = searchOf({ status: refundStatuses, ...period });
