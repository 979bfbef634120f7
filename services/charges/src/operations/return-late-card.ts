import { type Database, failPoint, type Lease, type Log } from '@plataforma/chassis';
import type { Clock } from '@plataforma/kernel';
import type { Acquirers } from '../cards/acquirers.ts';
import { isWatchOver, voidOf } from '../domain/card.ts';
import type { Charge } from '../domain/charge.ts';
import { watchAttempt } from '../store/charges.ts';

interface ReturnLateCard {
  database: Database;
  acquirers: Acquirers;
  clock: Clock;
  log: Log;
}

const LONGEST_REST_MS = 3_600_000;

/**
 * Asks whether a payment has turned up for a card attempt that has ended, and gives it back: its order number is free,
 * and another card may have paid. What can't be given back is tried again when the claim has run out.
 */
export async function returnLateCard(parts: ReturnLateCard, charge: Charge, lease: Lease): Promise<void> {
  const { database, clock, log } = parts;
  const acquirer = parts.acquirers(charge.environment);
  const now = clock();
  const outcome = await acquirer.find(charge.id);
  if (outcome?.state === 'approved') {
    failPoint('late_card.found');
    const returned = await acquirer.refund(voidOf(charge, outcome.acquirerId), lease);
    failPoint('late_card.answered');
    if (returned.state === 'done') await watchAttempt(database, charge.id, null);
    if (returned.state === 'refused')
      log.error({ chargeId: charge.id }, 'a late card payment is not taken back');
    return;
  }
  const isOver = outcome?.state === 'declined' || isWatchOver(charge, now);
  const age = now.getTime() - charge.createdAt.getTime();
  const nextLook = new Date(now.getTime() + Math.min(age / 2, LONGEST_REST_MS));
  await watchAttempt(database, charge.id, isOver ? null : nextLook);
}
