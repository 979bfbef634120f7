import type { Database } from '@plataforma/data';
import type { MerchantDirectory } from '@plataforma/service';
import type { Claimed } from '@plataforma/work';
import type { Acquirers } from '../cards/acquirer-client.ts';
import { bornAt, isNeverToArrive } from '../domain/card.ts';
import { type CardOutcome, type DecidedOutcome, NEVER_ARRIVED } from '../domain/card-outcome.ts';
import type { Charge } from '../domain/charge.ts';
import { failPoint, situation } from '../fail-points.ts';
import { type RecordCardOutcome, recordCardOutcome } from '../store/card-outcomes.ts';
import { checkAgainAt } from '../store/due-charges.ts';

interface ResolveCard extends RecordCardOutcome {
  database: Database;
  merchants: MerchantDirectory;
  acquirers: Acquirers;
  /**
   * True when the platform keeps an approved payment even if the request for the charge is never repeated.
   * False when the platform then returns the payment.
   */
  keepsUnmatched: boolean;
}

const FIRST_PAUSE_MS = 2_000;
/**
 * The longest pause between two checks of a recent charge. A waiting request can claim the charge only when
 * the pause ends, so the pause is shorter than `cardMaxWaitMs`.
 */
const MAX_PAUSE_MS = 10_000;
/**
 * The longest pause between two checks of a charge after the time in which the request for the charge may be
 * repeated.
 */
const LATE_PAUSE_MS = 600_000;

/**
 * Finds the outcome of a card charge whose answer was lost, and ends an order that never arrived. An approval
 * pays a charge of a checkout at once; any other charge waits for its request to be repeated. Returns true
 * when the payment must be returned now.
 */
export async function resolveCard(dependencies: ResolveCard, claimed: Claimed<Charge>): Promise<boolean> {
  const { item: charge, lease } = claimed;
  const now = dependencies.clock();
  const horizon = new Date(bornAt(charge).getTime() + dependencies.cardHorizonMs);
  const pauseFor = (ms: number) => checkAgainAt(dependencies.database, claimed, new Date(now.getTime() + ms));
  const caller = await waitingCheckout(dependencies, charge);
  const record = (outcome: DecidedOutcome | null) =>
    dependencies.database.transaction((tx) =>
      recordCardOutcome(tx, dependencies, charge.id, { outcome, lease, caller }),
    );
  if (charge.card?.acquirerId && !caller) {
    if (!charge.card.isVoiding && now < horizon) await checkAgainAt(dependencies.database, claimed, horizon);
    else if (dependencies.keepsUnmatched) await pauseFor(LATE_PAUSE_MS);
    else return true;
    return false;
  }
  if (charge.card?.acquirerId) {
    await record(null);
    return false;
  }
  const found = await dependencies.acquirers(charge).find(charge.id);
  failPoint('card.inspected');
  const outcome = decidedOutcome(found, charge, now);
  if (outcome) {
    await record(outcome);
  } else {
    const age = now.getTime() - bornAt(charge).getTime();
    await pauseFor(Math.min(Math.max(age / 2, FIRST_PAUSE_MS), now < horizon ? MAX_PAUSE_MS : LATE_PAUSE_MS));
  }
  return false;
}

/**
 * Returns the merchant if a buyer's checkout waits for the payment. Returns null for a charge without a
 * checkout, and for a payment that is being returned.
 */
async function waitingCheckout({ merchants }: ResolveCard, { checkoutId, card, merchantId }: Charge) {
  return checkoutId && !card?.isVoiding ? merchants.get(merchantId) : null;
}

/**
 * Returns the final outcome. Null means that the acquirer has not decided, or that the order may still
 * arrive.
 */
function decidedOutcome(outcome: CardOutcome | null, charge: Charge, now: Date): DecidedOutcome | null {
  if (outcome?.state === 'approved') situation('unknown card payment found done');
  if (outcome) return outcome.state === 'processing' ? null : outcome;
  if (!isNeverToArrive(charge, now)) return null;
  situation('unknown card payment found not done');
  return { state: 'none', reason: NEVER_ARRIVED };
}
