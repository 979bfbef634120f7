import { listCounters, listCountersBase } from '@plataforma/data';

export const counted = {
  table: 'withdrawals',
  by: ['method', 'status'],
  counts: 'withdrawal_counts',
} as const;

export const withdrawalCounts = listCounters('020_withdrawal_counts', counted);

export const withdrawalsBeforeCounts = listCountersBase('021_withdrawals_before_counts', counted);
