import { failPoint, type Lease, sometimes } from '@plataforma/chassis';
import type { Acquirers } from '../cards/acquirers.ts';
import { isNeverToArrive, NEVER_ARRIVED, voidOf } from '../domain/card.ts';
import type { Charge } from '../domain/charge.ts';
import { lockCharge, lookAgainAt, saveCharge } from '../store/charges.ts';
import { declineCard, noteApproval, type SettleCard } from './settle-card.ts';

interface ResolveCard extends SettleCard {
  acquirers: Acquirers;
  /** How long an approval waits for somebody to ask about it again. */
  cardHorizonMs: number;
  /** What nobody asked about is kept, however long it waits. */
  isHolding: boolean;
}

const FIRST_REST_MS = 2_000;
/** Shorter than a caller's patience, who may ask only when the clock does not look. */
const LONGEST_REST_MS = 10_000;
/** Of a charge nobody is expected to ask for any more. */
const LATE_REST_MS = 600_000;

/**
 * Finds out what became of a card charge whose caller never heard. Approved: it is kept for the same request to come
 * again, and given back when none has come within the horizon. A charge the acquirer never heard of ends.
 */
export async function resolveCard(parts: ResolveCard, charge: Charge, lease: Lease): Promise<void> {
  const now = parts.clock();
  const age = now.getTime() - charge.createdAt.getTime();
  const horizon = new Date(charge.createdAt.getTime() + parts.cardHorizonMs);
  if (charge.card?.acquirerId) {
    if (!charge.card.isVoiding && now < horizon) return lookAgainAt(parts.database, charge.id, horizon);
    if (!parts.isHolding) return giveBack(parts, charge, lease);
    return lookAgainAt(parts.database, charge.id, new Date(now.getTime() + LATE_REST_MS));
  }
  const outcome = await parts.acquirers(charge.environment).find(charge.id);
  failPoint('card.inspected');
  if (outcome?.state === 'declined') {
    await declineCard(parts, charge.id, { reason: outcome.reason });
  } else if (outcome?.state === 'approved') {
    sometimes('unknown card payment found done');
    await noteApproval(parts, charge.id, { approved: outcome, keptUntil: horizon });
  } else if (!outcome && isNeverToArrive(charge, now)) {
    sometimes('unknown card payment found not done');
    await declineCard(parts, charge.id, { reason: NEVER_ARRIVED });
  } else {
    const longest = now < horizon ? LONGEST_REST_MS : LATE_REST_MS;
    const rest = Math.min(Math.max(age / 2, FIRST_REST_MS), longest);
    await lookAgainAt(parts.database, charge.id, new Date(now.getTime() + rest));
  }
}

/** Decided first and written down: from then on nobody can collect the payment any more. */
async function giveBack(parts: ResolveCard, { id, environment }: Charge, lease: Lease): Promise<void> {
  const payment = await parts.database.transaction(async (tx) => {
    const charge = await lockCharge(tx, id);
    if (charge.status !== 'PENDING' || !charge.card?.acquirerId) return null;
    await saveCharge(tx, { ...charge, card: { ...charge.card, isVoiding: true } });
    return voidOf(charge, charge.card.acquirerId);
  });
  if (!payment) return;
  failPoint('void.stored');
  const outcome = await parts.acquirers(environment).refund(payment, lease);
  failPoint('void.answered');
  if (outcome.state === 'done') await declineCard(parts, id, { reason: 'voided' });
  // The claim runs out, and it is tried again.
  if (outcome.state === 'refused')
    parts.log.error({ chargeId: id }, 'the acquirer does not take back a card payment nobody collected');
}
