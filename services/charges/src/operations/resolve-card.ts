import type { Acquirers } from '../cards/acquirers.ts';
import type { Charge } from '../domain/charge.ts';
import { lockCharge, lookAgainAt, saveCharge } from '../store/charges.ts';
import { declineCard, noteApproval, type SettleCard } from './settle-card.ts';

interface ResolveCard extends SettleCard {
  acquirers: Acquirers;
  /** How long an approval waits for somebody to ask about it again. */
  cardHorizonMs: number;
}

/** Longer than any request can still be on its way to the acquirer. */
const UNHEARD_OF_MS = 60_000;
const FIRST_REST_MS = 2_000;
const LONGEST_REST_MS = 600_000;

/**
 * Finds out what became of a card charge whose caller never heard. Approved: it is kept for the same request to come
 * again, and given back when none has come within the horizon. A charge the acquirer never heard of ends.
 */
export async function resolveCard(parts: ResolveCard, charge: Charge): Promise<void> {
  if (charge.card?.isVoiding || charge.card?.acquirerId) return giveBack(parts, charge);
  const now = parts.clock().getTime();
  const age = now - charge.createdAt.getTime();
  const outcome = await parts.acquirers(charge.environment).find(charge.id);
  if (outcome?.state === 'declined') {
    await declineCard(parts, charge.id, outcome.reason);
  } else if (outcome?.state === 'approved') {
    await noteApproval(parts, charge.id, outcome);
    const horizon = new Date(charge.createdAt.getTime() + parts.cardHorizonMs);
    await lookAgainAt(parts.database, charge.id, horizon);
  } else if (!outcome && age > UNHEARD_OF_MS) {
    await declineCard(parts, charge.id, 'not_processed');
  } else {
    const rest = Math.min(Math.max(age / 2, FIRST_REST_MS), LONGEST_REST_MS);
    await lookAgainAt(parts.database, charge.id, new Date(now + rest));
  }
}

/** Decided first and written down: from then on nobody can collect the payment any more. */
async function giveBack(parts: ResolveCard, { id, environment, amount }: Charge): Promise<void> {
  const acquirerId = await parts.database.transaction(async (tx) => {
    const charge = await lockCharge(tx, id);
    if (charge.status !== 'PENDING' || !charge.card) return null;
    await saveCharge(tx, { ...charge, card: { ...charge.card, isVoiding: true } });
    return charge.card.acquirerId;
  });
  if (acquirerId === null) return;
  const outcome = await parts.acquirers(environment).refund({ acquirerId, refundId: id, amount });
  if (outcome.state === 'done') await declineCard(parts, id, 'voided');
  if (outcome.state === 'refused')
    parts.log.error({ chargeId: id }, 'the acquirer does not take back a card payment nobody collected');
}
