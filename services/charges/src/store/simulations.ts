import type { Queryable } from '@plataforma/data';

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

const END_TIME = `
  UPDATE charges SET expires_at = least(expires_at, $2), next_check_at = least(next_check_at, $3)
  WHERE id = $1 AND status = 'PENDING'
  RETURNING id`;

/**
 * Makes a pending charge expire at the merchant's time `now`, unless it expires earlier, and makes it due.
 * Returns false when the charge is not pending.
 */
export async function endTime(
  db: Queryable,
  id: string,
  { now, dueAt }: { now: Date; dueAt: Date },
): Promise<boolean> {
  return (await db.query(END_TIME, [id, now, dueAt])).length === 1;
}
