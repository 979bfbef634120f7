import { searchOf } from '../search.ts';

export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;

export const deliverySearch = searchOf({ status: deliveryStatuses });
