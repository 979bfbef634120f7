import type { Database, Queryable } from '@plataforma/data';
import { lockCharge, saveCharge } from './charges.ts';

const CLAIM_SIMULATION = `
  UPDATE charges SET simulated_at = $2
  WHERE id = $1 AND status = 'PENDING'
    AND (simulated_at IS NULL OR simulated_at < $2::timestamptz - interval '40 seconds')
  RETURNING id`;

/**
 * Claims the simulated payment of a charge, so that two simulations do not both pay it. The claim lasts
 * longer than any simulation, and expires when the process ends without a release.
 */
export async function claimSimulation(db: Queryable, id: string, now: Date): Promise<boolean> {
  return (await db.query(CLAIM_SIMULATION, [id, now])).length === 1;
}

const RELEASE = 'UPDATE charges SET simulated_at = NULL WHERE id = $1 AND simulated_at = $2';

/**
 * Ends the claim that was made at `claimedAt`. Changes nothing if another process has claimed the charge
 * since.
 */
export async function releaseSimulation(db: Queryable, id: string, claimedAt: Date): Promise<void> {
  await db.query(RELEASE, [id, claimedAt]);
}

/**
 * Makes a pending charge expire at the merchant's time `now`, unless it expires earlier, and makes it due.
 * Returns false when the charge is not pending. Locks the charge.
 */
export function endTime(
  database: Database,
  id: string,
  { now, dueAt }: { now: Date; dueAt: Date },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const charge = await lockCharge(tx, id);
    if (charge.status !== 'PENDING') return false;
    const expiresAt = earlierOf(charge.expiresAt ?? now, now);
    await saveCharge(tx, { ...charge, expiresAt, dueAt: earlierOf(charge.dueAt, dueAt) });
    return true;
  });
}

const earlierOf = (left: Date, right: Date) => (left < right ? left : right);
