import type { Database } from '@plataforma/data';
import { type Clock, type ProviderScope, Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { AcquirerClient } from '../../cards/acquirer-client.ts';
import { undecided } from '../../domain/card.ts';
import { failPoint } from '../../fail-points.ts';
import { findChargeByAcquirerId } from '../../store/charge-lookups.ts';
import { requireSeal } from '../../store/charge-rows.ts';
import { makeCardRefundDue } from '../../store/refunds.ts';
import { chargebackNotice } from '../domain/provider-reference.ts';
import { openDispute } from '../store/new-disputes.ts';

interface AcquirerNotice {
  database: Database;
  acquirers: (scope: ProviderScope) => Pick<AcquirerClient, 'inspect'>;
  clock: Clock;
  log: Log;
}

/**
 * Reads the charge that the acquirer's notice names, and opens a dispute for a chargeback. Throws when the
 * dispute cannot be opened yet, so that the acquirer repeats its notice.
 */
export async function takeAcquirerNotice(dependencies: AcquirerNotice, acquirerId: string): Promise<void> {
  const { database, acquirers, clock, log } = dependencies;
  const charge = await findChargeByAcquirerId(database, acquirerId);
  if (!charge) return;
  requireSeal(database, charge);
  await makeCardRefundDue(database, charge.id);
  const acquired = await acquirers(charge).inspect(acquirerId);
  if (!acquired) throw new Refusal('provider_fault', 'PROVIDER_ERROR', 'card acquirer denies its own charge');
  if (!acquired.chargeback) return;
  if (charge.status === 'PENDING') throw undecided('the payment is not settled yet');
  failPoint('chargeback.read');
  try {
    const notice = chargebackNotice(charge.id, acquirerId, acquired.chargeback);
    await database.transaction((tx) => openDispute(tx, clock, notice));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'REQUEST_IN_PROGRESS') throw error;
    log.error({ chargeId: charge.id, reason: error.message }, 'a chargeback opens no dispute');
  }
}
