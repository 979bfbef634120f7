import type { Queryable } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { instantOf } from './moments.ts';
import type { Moved } from './statement-balance.ts';

/**
 * A wallet's state at an earlier time. `wallet` contains the columns, and `at` is the time of the change that
 * produced this state.
 */
export interface Snapshot {
  at: string;
  wallet: Record<string, unknown>;
}

const SNAPSHOTS = `
  SELECT ${instantOf('changed_at')} AS at, wallet FROM wallet_snapshots WHERE merchant_id = $1
  AND environment = $2`;

/** Finds a wallet's snapshots in a period, the oldest first, and the last snapshot before the period. */
export async function findSnapshots(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { after, until }: { after: string; until: string },
): Promise<{ before: Snapshot | null; snapshots: Snapshot[] }> {
  const keys = [merchantId, environment];
  const [before] = await db.queryUnprepared<Snapshot>(
    `${SNAPSHOTS} AND changed_at <= $3::timestamptz ORDER BY changed_at DESC LIMIT 1`,
    [...keys, after],
  );
  const snapshots = await db.queryUnprepared<Snapshot>(
    `${SNAPSHOTS} AND changed_at > $3::timestamptz AND changed_at <= $4::timestamptz ORDER BY changed_at`,
    [...keys, after, until],
  );
  return { before: before ?? null, snapshots };
}

/** The number of entries that one SQL statement sums, so that each statement ends long before its timeout. */
const PORTION = 100_000;

/**
 * SQL for the time at which the next portion of entries ends. Entries with the same time are in the same
 * portion.
 */
const REACH = `
  SELECT coalesce((SELECT created_at FROM journal_entries
    WHERE merchant_id = $1 AND environment = $2 AND created_at > $3::timestamptz
    AND created_at <= $4::timestamptz
    ORDER BY created_at OFFSET ${PORTION} LIMIT 1), $4::timestamptz)::text AS until`;

const SUM = `
  SELECT e.kind, l.account, sum(l.amount_cents)::bigint AS amount
  FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id
  WHERE e.merchant_id = $1 AND e.environment = $2
    AND e.created_at > $3::timestamptz AND e.created_at <= $4::timestamptz
  GROUP BY e.kind, l.account`;

export async function sumBetween(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { after, until }: { after: string; until: string },
): Promise<Moved[]> {
  const moved: Moved[] = [];
  for (let from = after; ; ) {
    const [reach] = await db.queryUnprepared<{ until: string; isLast: boolean }>(
      `SELECT until, until::timestamptz = $4::timestamptz AS "isLast" FROM (${REACH}) AS reach`,
      [merchantId, environment, from, until],
    );
    if (!reach) throw new Error('a query for one row returned none');
    moved.push(...(await db.queryUnprepared<Moved>(SUM, [merchantId, environment, from, reach.until])));
    if (reach.isLast) return moved;
    from = reach.until;
  }
}
