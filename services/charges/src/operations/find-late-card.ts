import type { Database } from '@plataforma/data';
import type { Claimed } from '@plataforma/work';
import type { Acquirers } from '../cards/acquirer-client.ts';
import { bornAt, isWatchOver } from '../domain/card.ts';
import type { Charge } from '../domain/charge.ts';
import { failPoint } from '../fail-points.ts';
import { type RecordCardOutcome, recordCardOutcome } from '../store/card-outcomes.ts';
import { checkAgainAt, endWatch } from '../store/due-charges.ts';

interface FindLateCard extends RecordCardOutcome {
  database: Database;
  acquirers: Acquirers;
}

const MAX_PAUSE_MS = 3_600_000;

/**
 * Asks the acquirer for a late payment of an ended card attempt. Such a payment must be returned, because a
 * newer charge may have the attempt's externalId.
 */
export async function findLateCard(dependencies: FindLateCard, claimed: Claimed<Charge>): Promise<void> {
  const { database, acquirers, clock } = dependencies;
  const { item: charge, lease } = claimed;
  const now = clock();
  const outcome = await acquirers(charge).find(charge.id);
  if (outcome?.state === 'approved') {
    failPoint('late_card.found');
    const found = { outcome, lease, caller: null };
    await database.transaction((tx) => recordCardOutcome(tx, dependencies, charge.id, found));
    return;
  }
  const isOver = outcome?.state === 'declined' || isWatchOver(charge, now);
  const age = now.getTime() - bornAt(charge).getTime();
  const nextCheckAt = new Date(now.getTime() + Math.min(age / 2, MAX_PAUSE_MS));
  await (isOver ? endWatch(database, claimed) : checkAgainAt(database, claimed, nextCheckAt));
}
