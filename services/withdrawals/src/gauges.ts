import { type Counters, type Database, readUnfolded } from '@plataforma/data';
import type { ReadGauges } from '@plataforma/observe';
import { readProposalGauges, readStopGauges } from '@plataforma/tables';
import { readAcceptedAlone, readUnknownOutcomes } from './store/gauges.ts';
import { readOpenAlarms } from './store/payout-alarms.ts';
import { readUnprovenPayouts } from './store/unproven-payouts.ts';
import { stoppedPayouts } from './store/withdrawals.ts';

export const counters: readonly Counters[] = [
  {
    counts: 'withdrawal_counts',
    key: ['merchant_id', 'environment', 'day', 'method', 'status'],
    amounts: ['counted'],
  },
  {
    counts: 'withdrawal_sums',
    key: ['merchant_id', 'environment', 'day', 'method', 'status'],
    amounts: ['counted', 'amount_cents', 'fee_cents'],
  },
];

export function gaugesOf({ database }: { database: Database }): ReadGauges[] {
  return [
    () => readUnknownOutcomes(database),
    () => readUnfolded(database, counters),
    () => readOpenAlarms(database),
    () => readAcceptedAlone(database),
    () => readUnprovenPayouts(database),
    () => readStopGauges(database, [stoppedPayouts]),
    () => readProposalGauges(database),
  ];
}
