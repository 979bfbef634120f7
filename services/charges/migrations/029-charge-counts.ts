import { listCounters, listCountersBase } from '@plataforma/data';

export const counted = {
  table: 'charges',
  by: ['payment_method', 'status'],
  counts: 'charge_counts',
} as const;

export const chargeCounts = listCounters('029_charge_counts', counted);

export const chargesBeforeCounts = listCountersBase('030_charges_before_counts', counted);
