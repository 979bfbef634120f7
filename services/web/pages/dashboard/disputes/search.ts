import { searchOf } from '../search.ts';

export const disputeStatuses = [
  'OPEN',
  'UNDER_REVIEW',
  'RESOLVED_MERCHANT',
  'RESOLVED_CUSTOMER',
  'CANCELLED',
] as const;

export const disputesSearch = searchOf({ status: disputeStatuses });
