import { period, searchOf } from '../search.ts';

export const linkStatuses = ['ACTIVE', 'INACTIVE', 'EXPIRED', 'USED_UP'] as const;

export const linksSearch = searchOf({ status: linkStatuses, ...period });
