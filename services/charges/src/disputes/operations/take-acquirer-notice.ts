import type { Database } from '@plataforma/data';
import { type Clock, Refusal, type Whose } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { AcquirerClient } from '../../cards/acquirer-client.ts';
import { undecided } from '../../domain/card.ts';
import { failPoint } from '../../fail-points.ts';
import { findChargeByAcquirerId } from '../../store/charge-lookups.ts';
import { hastenCardRefund } from '../../store/news.ts';
import { chargebackNotice } from '../steps/chargeback-notice.ts';
import { openDispute } from '../steps/open-dispute.ts';

interface AcquirerNotice {
  database: Database;
  acquirers: (whose: Whose) => Pick<AcquirerClient, 'inspect'>;
  clock: Clock;
  log: Log;
}

/**
 * The acquirer has news of one of its charges: it is asked, and a chargeback opens a dispute. Refused while something
 * must end before it can: the acquirer tells us again.
 */
export async function takeAcquirerNotice(parts: AcquirerNotice, acquirerId: string): Promise<void> {
  const { database, acquirers, clock, log } = parts;
  const charge = await findChargeByAcquirerId(database, acquirerId);
  if (!charge) return;
  await hastenCardRefund(database, charge.id);
  const known = await acquirers(charge).inspect(acquirerId);
  if (!known)
    throw new Refusal('provider_fault', 'PROVIDER_ERROR', 'the card acquirer denies its own charge');
  if (!known.chargeback) return;
  if (charge.status === 'PENDING') throw undecided('the payment is not settled yet');
  failPoint('chargeback.read');
  try {
    await openDispute(
      { database, clock },
      { ...chargebackNotice(charge.id, acquirerId, known.chargeback), operatorId: null },
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'REQUEST_IN_PROGRESS') throw error;
    log.error({ chargeId: charge.id, reason: error.message }, 'a chargeback opens no dispute');
  }
}
