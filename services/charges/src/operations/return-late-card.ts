import type { Claimed } from '@plataforma/work';
import { bornAt, isWatchOver } from '../domain/card.ts';
import type { Charge } from '../domain/charge.ts';
import { failPoint } from '../fail-points.ts';
import { type ReturnCard, returnCard } from '../steps/return-card.ts';
import { settleCard } from '../steps/settle-card.ts';
import { lookAgainAt } from '../store/due-charges.ts';

interface ReturnLateCard extends ReturnCard {
  cardHorizonMs: number;
}

const LONGEST_REST_MS = 3_600_000;

/**
 * Asks whether a payment has turned up for a card attempt that has ended, and gives it back: its order number is free,
 * and another card may have paid.
 */
export async function returnLateCard(parts: ReturnLateCard, claimed: Claimed<Charge>): Promise<void> {
  const { item: charge, lease } = claimed;
  if (charge.card?.acquirerId) return returnCard(parts, claimed);
  const now = parts.clock();
  const outcome = await parts.acquirers(charge).find(charge.id);
  if (outcome?.state === 'approved') {
    failPoint('late_card.found');
    await settleCard(parts, charge.id, { news: outcome, lease, caller: null });
    return;
  }
  const isOver = outcome?.state === 'declined' || isWatchOver(charge, now);
  const age = now.getTime() - bornAt(charge).getTime();
  const nextLook = new Date(now.getTime() + Math.min(age / 2, LONGEST_REST_MS));
  await lookAgainAt(parts.database, claimed, isOver ? null : nextLook);
}
