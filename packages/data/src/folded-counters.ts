import type { GaugeSample, Log } from '@plataforma/observe';
import type { Database, Queryable } from './database.ts';
import { metrics } from './metrics.ts';
import { startPolling } from './polling.ts';

const EVERY_MS = 500;
/**
 * The most changes that one statement folds (adds to the totals), so that the statement ends before its
 * timeout.
 */
const PORTION = 50_000;
/**
 * The gauge counts at most this many changes that are not yet added to the totals. A larger count would take
 * too long.
 */
const SHOWN_AT_MOST = 200_000;

/**
 * The names of a table of totals. Triggers append changes to `<counts>_changes`, and this file adds them to
 * `<counts>_folded`. The view `counts` shows both tables together.
 */
export interface Counters {
  counts: string;
  key: readonly string[];
  amounts: readonly string[];
}

/**
 * Adds new changes to the totals every half second, in portions. After a full portion, the next portion
 * follows at once.
 */
export function startFolding(
  { database, log }: { database: Database; log: Log },
  all: readonly Counters[],
): { stop(): Promise<void> } {
  let isStopped = false;
  const foldAll = async () => {
    for (const counters of all) {
      while (!isStopped && (await foldCounters(database, counters)) === PORTION);
    }
  };
  const folding = startPolling({ database, log, name: 'fold counters', everyMs: EVERY_MS, poll: foldAll });
  return {
    stop() {
      isStopped = true;
      return folding.stop();
    },
  };
}

/**
 * Moves changes into the totals and returns the number of changes. A single statement moves them, so that
 * every snapshot shows each change in exactly one table. Moves nothing while another replica is folding;
 * uncommitted changes stay until later.
 */
export async function foldCounters(db: Queryable, counters: Counters): Promise<number> {
  const [row] = await db.query<{ taken: number }>(foldOf(counters));
  return row?.taken ?? 0;
}

/**
 * Composes the statement that adds changes to the totals, in the rows with slot 0. The rows with other slots
 * contain totals of an earlier release, which changed totals directly.
 */
function foldOf({ counts, key, amounts }: Counters): string {
  const columns = key.join(', ');
  return `
    WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(31, hashtext('${counts}')) AS is_ours),
    taken AS (
      DELETE FROM ${counts}_changes WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${counts}_changes WHERE (SELECT is_ours FROM turn) LIMIT ${PORTION}))
      RETURNING *),
    added AS (
      INSERT INTO ${counts}_folded AS kept (${columns}, slot, ${amounts.join(', ')})
      SELECT ${columns}, 0, ${amounts.map((sum) => `sum(${sum})`).join(', ')} FROM taken
      GROUP BY ${columns} HAVING ${amounts.map((sum) => `sum(${sum}) <> 0`).join(' OR ')} ORDER BY ${columns}
      ON CONFLICT (${columns}, slot)
        DO UPDATE SET ${amounts.map((sum) => `${sum} = kept.${sum} + excluded.${sum}`).join(', ')})
    SELECT count(*)::integer AS taken FROM taken`;
}

export async function readUnfolded(db: Queryable, all: readonly Counters[]): Promise<GaugeSample[]> {
  const samples: GaugeSample[] = [];
  for (const { counts } of all) {
    const changes = `SELECT FROM ${counts}_changes LIMIT ${SHOWN_AT_MOST}`;
    const [row] = await db.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM (${changes}) AS seen`,
    );
    samples.push(metrics.gauge('plataforma_counters_unfolded', { counters: counts }, row?.count ?? 0));
  }
  return samples;
}
