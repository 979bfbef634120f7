import type { Database, Queryable, Transaction } from '@plataforma/data';
import type { GaugeSample } from '@plataforma/observe';
import { metrics } from '../metrics.ts';

/**
 * Why a payout waits for verification. `doubt`: the ledger's records are wrong. `no_answer`: the ledger or
 * the charges service did not answer. The values are also metric labels.
 */
type UnprovenReason = 'doubt' | 'no_answer';
const reasons: readonly UnprovenReason[] = ['doubt', 'no_answer'];

const MARK_UNPROVEN = `
  INSERT INTO unproven_payouts (withdrawal_id, reason) VALUES ($1, $2)
  ON CONFLICT (withdrawal_id) DO UPDATE SET reason = excluded.reason`;

/**
 * Records that a payout waits because the ledger's records are not verified. A new reason does not change the
 * time since which the payout waits.
 */
export async function markBooksUnproven(db: Queryable, id: string, reason: UnprovenReason): Promise<void> {
  await db.query(MARK_UNPROVEN, [id, reason]);
}

export async function clearBooksUnproven(db: Queryable, id: string): Promise<void> {
  await db.query('DELETE FROM unproven_payouts WHERE withdrawal_id = $1', [id]);
}

export async function unprovenSince(db: Queryable, ids: readonly string[]): Promise<Map<string, Date>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; since: Date }>(
    'SELECT withdrawal_id AS id, since FROM unproven_payouts WHERE withdrawal_id = ANY ($1::uuid[])',
    [ids],
  );
  return new Map(rows.map(({ id, since }) => [id, since]));
}

const RECHECK = `
  UPDATE withdrawals SET next_check_at = $2 WHERE id = $1 AND status = 'APPROVED' AND lease_token IS NULL`;

/**
 * Sets the time of the next verification for an approved payout. Does nothing while a scheduler has a lease
 * on the payout.
 */
export async function recheckBooksAt(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.query(RECHECK, [id, at]);
}

const COUNT = `
  SELECT reason, count(*)::integer AS count FROM unproven_payouts JOIN withdrawals ON id = withdrawal_id
  WHERE status = 'APPROVED' GROUP BY reason`;

export async function readUnprovenPayouts(database: Database): Promise<GaugeSample[]> {
  const rows = await database.query<{ reason: UnprovenReason; count: number }>(COUNT);
  return reasons.map((reason) => {
    const count = rows.find((row) => row.reason === reason)?.count ?? 0;
    return metrics.gauge('plataforma_payouts_unproven', { reason }, count);
  });
}
