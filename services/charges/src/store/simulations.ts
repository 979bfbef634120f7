import type { Queryable } from '@plataforma/data';

const CLAIM_SIMULATION = `
  UPDATE charges SET simulated_at = $2
  WHERE id = $1 AND status = 'PENDING'
    AND (simulated_at IS NULL OR simulated_at < $2::timestamptz - interval '40 seconds')
  RETURNING id`;

/**
 * Claims the simulation of a charge, so that two simulations do not pay it twice. The claim outlasts the
 * longest simulation, and expires when its process dies.
 */
export async function claimSimulation(db: Queryable, id: string, now: Date): Promise<boolean> {
  return (await db.query(CLAIM_SIMULATION, [id, now])).length === 1;
}

const RELEASE = 'UPDATE charges SET simulated_at = NULL WHERE id = $1 AND simulated_at = $2';

/** Ends the claim from that time, unless another claim has followed. */
export async function releaseSimulation(db: Queryable, id: string, claimedAt: Date): Promise<void> {
  await db.query(RELEASE, [id, claimedAt]);
}

const END_TIME = `
  UPDATE charges SET expires_at = least(expires_at, $2), next_check_at = least(next_check_at, $3)
  WHERE id = $1 AND status = 'PENDING'
  RETURNING id`;

/**
 * Ends a pending charge's time at the merchant's `now` at the latest, and makes it due. Returns false when it
 * is not pending.
 */
export async function endTime(
  db: Queryable,
  id: string,
  { now, dueAt }: { now: Date; dueAt: Date },
): Promise<boolean> {
  return (await db.query(END_TIME, [id, now, dueAt])).length === 1;
}
