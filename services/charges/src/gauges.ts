import { type Counters, readUnfolded } from '@plataforma/data';
import type { GaugeSample, ReadGauges } from '@plataforma/observe';
import { readProposalGauges, readStopGauges } from '@plataforma/tables';
import { oldestUntouchedSeconds } from './checkouts/store/checkouts.ts';
import type { ChargesDependencies } from './dependencies.ts';
import { metrics } from './metrics.ts';
import { readBehind } from './reconciliation/store/reconciliations.ts';
import { readOpenAlarms } from './store/alarms.ts';
import { stoppedOrders } from './store/stopped-orders.ts';
import { readUnknownOutcomes } from './store/unknown-outcomes.ts';

export const counters: readonly Counters[] = [
  {
    counts: 'charge_counts',
    key: ['merchant_id', 'environment', 'day', 'payment_method', 'status'],
    amounts: ['counted'],
  },
  {
    counts: 'charge_sums',
    key: ['merchant_id', 'environment', 'day', 'payment_method', 'status'],
    amounts: ['counted', 'amount_cents', 'fee_cents', 'refunded_cents'],
  },
  {
    counts: 'charge_volumes',
    key: ['merchant_id', 'environment', 'hour', 'payment_method'],
    amounts: ['paid', 'declined', 'gross_cents', 'fee_cents', 'refunded_cents', 'disputed_cents'],
  },
];

export function gaugesOf(dependencies: ChargesDependencies): ReadGauges[] {
  const { database } = dependencies;
  return [
    () => readUnknownOutcomes(database),
    () => readUnfolded(database, counters),
    () => readOpenAlarms(database),
    () => readStopGauges(database, stoppedOrders),
    () => readProposalGauges(database),
    () => readVisits(dependencies),
    () => readBehind(database, dependencies.clock()),
  ];
}

async function readVisits({
  database,
  clock,
  checkoutRetentionDays,
}: ChargesDependencies): Promise<GaugeSample[]> {
  const oldest = await oldestUntouchedSeconds(database, clock());
  return [
    metrics.gauge('plataforma_checkouts_oldest_untouched_seconds', {}, oldest),
    metrics.gauge('plataforma_checkouts_kept_seconds', {}, checkoutRetentionDays * 86_400),
  ];
}
