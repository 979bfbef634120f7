import type { GaugeSample, Log } from '@plataforma/observe';
import type { Database, Queryable } from './database.ts';
import { metrics } from './metrics.ts';
import { startPolling } from './polling.ts';

const EVERY_MS = 500;
/** The most rows that one statement folds, so that it ends in time. */
const PORTION = 50_000;
/** The most waiting rows that the gauge counts, because counting more would cost too much. */
const SHOWN_AT_MOST = 200_000;

/**
 * Totals whose changes triggers append to the table `<counts>_changes`. This file folds them into
 * `<counts>_folded`; the view `counts` is the union of both.
 */
export interface Counters {
  counts: string;
  key: readonly string[];
  amounts: readonly string[];
}

/** Folds changes soon after they are appended, and a backlog portion by portion without a pause. */
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
 * Moves changes to the counters, and returns how many. One statement moves them, so that every snapshot has
 * each change in exactly one table. Uncommitted changes stay, and all stay while another replica folds.
 */
export async function foldCounters(db: Queryable, counters: Counters): Promise<number> {
  const [row] = await db.query<{ taken: number }>(foldOf(counters));
  return row?.taken ?? 0;
}

/**
 * Composes the statement. It adds to slot 0; the other slots hold totals from before changes were appended.
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
