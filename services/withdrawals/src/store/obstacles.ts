import type { Transaction } from '@plataforma/data';
import { waitingFor } from '@plataforma/service';
import { activeStops } from '@plataforma/tables';
import { payoutSubject } from '../domain/stop-subject.ts';
import type { Withdrawal } from '../domain/withdrawal.ts';
import { unprovenSince } from './unproven-payouts.ts';
import { barredOf } from './withdrawal-lists.ts';

/** Returns the reasons for which the service has not started an approved TED, for the audit log. */
export async function findObstacles(tx: Transaction, withdrawal: Withdrawal) {
  const { id, merchantId, createdAt } = withdrawal;
  const stops = await activeStops(tx, 'payouts');
  return {
    isStarted: false,
    isStopped: waitingFor(stops, payoutSubject(withdrawal), createdAt) !== null,
    isMerchantBarred: (await barredOf(tx, [merchantId])).has(merchantId),
    isUnproven: (await unprovenSince(tx, [id])).has(id),
  };
}
