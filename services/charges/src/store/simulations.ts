import type { Queryable } from '@plataforma/data';

const CLAIM = `
  UPDATE charges SET simulated_at = $2
  WHERE id = $1 AND status = 'PENDING'
    AND (simulated_at IS NULL OR simulated_at < $2::timestamptz - interval '40 seconds')
  RETURNING id`;

/**
 * True for one caller at a time, so that a charge is not paid twice by two simulations; a claim outlives the
 * longest simulation, and ends by itself when its holder died.
 */
export async function claimSimulation(db: Queryable, id: string, now: Date): Promise<boolean> {
  return (await db.query(CLAIM, [id, now])).length === 1;
}

const RELEASE = 'UPDATE charges SET simulated_at = NULL WHERE id = $1 AND simulated_at = $2';

/** Ends the claim of that time, unless another one has followed. */
export async function releaseSimulation(db: Queryable, id: string, claimedAt: Date): Promise<void> {
  await db.query(RELEASE, [id, claimedAt]);
}

const END_TIME = `
  UPDATE charges SET expires_at = least(expires_at, $2), next_check_at = least(next_check_at, $3)
  WHERE id = $1 AND status = 'PENDING'
  RETURNING id`;

/** A pending charge's time ends at `now`, its merchant's, at the latest, and it is due; false: it is not pending. */
export async function endTime(
  db: Queryable,
  id: string,
  { now, dueAt }: { now: Date; dueAt: Date },
): Promise<boolean> {
  return (await db.query(END_TIME, [id, now, dueAt])).length === 1;
}
