import type { Database } from '@plataforma/data';
import { clockCount } from '@plataforma/service';
import type { Receivable } from '../domain/receivable.ts';
import { COLUMNS, type ReceivableRow, receivableOf } from './receivables.ts';

/** Counts a sandbox's receivables that are due by the sandbox's own clock but not settled yet. */
export const countUnsettled = clockCount('receivables', 'remaining_cents > 0 AND settles_at <= $2');

/**
 * Takes leases on receivables that are due by the moved clock of their sandbox, but not by real time. Uses
 * one index scan for each merchant.
 */
const CLAIM_MOVED = `
  UPDATE receivables SET claimed_until = $1::timestamptz + make_interval(secs => $2::double precision / 1000)
  WHERE charge_id = ANY (ARRAY (
    SELECT due.charge_id FROM sandbox_clocks moved CROSS JOIN LATERAL (
      SELECT charge_id FROM receivables
      WHERE merchant_id = moved.merchant_id AND environment = 'sandbox' AND remaining_cents > 0
        AND settles_at > $1 AND settles_at <= $1::timestamptz + moved.ahead_ms * interval '1 millisecond'
        AND (claimed_until IS NULL OR claimed_until <= $1)
      ORDER BY settles_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED) AS due LIMIT $3))
  RETURNING ${COLUMNS}`;

/** Takes leases of `leaseMs` on receivables that are due only by the clock of their sandbox. */
export async function claimMovedReceivables(
  database: Database,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<Receivable[]> {
  const rows = await database.queryUnprepared<ReceivableRow>(CLAIM_MOVED, [now, leaseMs, limit]);
  return rows.map(receivableOf);
}
