import type { Claimed } from '@plataforma/work';
import { bornAt, isNeverToArrive } from '../domain/card.ts';
import { type CardNews, type CardOutcome, NEVER_ARRIVED } from '../domain/card-news.ts';
import type { Charge } from '../domain/charge.ts';
import { failPoint, sometimes } from '../fail-points.ts';
import { type ReturnCard, returnCard } from '../steps/return-card.ts';
import { type SettleCard, settleCard } from '../steps/settle-card.ts';
import { lookAgainAt } from '../store/due-charges.ts';

interface ResolveCard extends ReturnCard, SettleCard {
  /** An approval that no caller collects is kept, however long it waits. */
  isHolding: boolean;
}

const FIRST_REST_MS = 2_000;
/** Shorter than a caller's patience, who may ask only when the clock does not look. */
const LONGEST_REST_MS = 10_000;
/** Of a charge that no caller is expected to ask for any more. */
const LATE_REST_MS = 600_000;

/**
 * Finds out what became of a card charge whose caller got no answer. Approved: it is kept for the same request to come
 * again, and given back when none has come within the horizon; of a checkout, whose page waits for it, it is paid. A
 * charge the acquirer does not know ends.
 */
export async function resolveCard(parts: ResolveCard, claimed: Claimed<Charge>): Promise<void> {
  const { item: charge, lease } = claimed;
  const now = parts.clock();
  const horizon = new Date(bornAt(charge).getTime() + parts.cardHorizonMs);
  const restFor = (ms: number) => lookAgainAt(parts.database, claimed, new Date(now.getTime() + ms));
  const caller = await waitingCheckout(parts, charge);
  if (charge.card?.acquirerId && caller) {
    await settleCard(parts, charge.id, { news: null, lease, caller });
    return;
  }
  if (charge.card?.acquirerId) {
    if (!charge.card.isVoiding && now < horizon) return lookAgainAt(parts.database, claimed, horizon);
    return parts.isHolding ? restFor(LATE_REST_MS) : returnCard(parts, claimed);
  }
  const outcome = await parts.acquirers(charge).find(charge.id);
  failPoint('card.inspected');
  const news = newsOf(outcome, charge, now);
  if (news) {
    await settleCard(parts, charge.id, { news, lease, caller });
  } else {
    const age = now.getTime() - bornAt(charge).getTime();
    await restFor(Math.min(Math.max(age / 2, FIRST_REST_MS), now < horizon ? LONGEST_REST_MS : LATE_REST_MS));
  }
}

/** Null: only the same request may collect the payment, or nothing may any more. */
async function waitingCheckout({ merchants }: ResolveCard, { checkoutId, card, merchantId }: Charge) {
  return checkoutId && !card?.isVoiding ? merchants.find(merchantId) : null;
}

/** Null: it is not decided, or may still be on its way. */
function newsOf(outcome: CardOutcome | null, charge: Charge, now: Date): CardNews | null {
  if (outcome?.state === 'approved') sometimes('unknown card payment found done');
  if (outcome) return outcome.state === 'processing' ? null : outcome;
  if (!isNeverToArrive(charge, now)) return null;
  sometimes('unknown card payment found not done');
  return { state: 'none', reason: NEVER_ARRIVED };
}
