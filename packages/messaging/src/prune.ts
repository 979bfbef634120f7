import type { Database } from '@plataforma/data';
import { every, type Log } from '@plataforma/observe';

const KEEP_REPLAYED_DAYS = 90;
const CHUNK = 5_000;

const PRUNE_DEAD_LETTERS = `
  DELETE FROM dead_letters WHERE id IN (
    SELECT id FROM dead_letters WHERE replayed_at < now() - interval '${KEEP_REPLAYED_DAYS} days' LIMIT ${CHUNK})
  RETURNING id`;

/** Short, because a process that never runs for longer must prune, too; most times there is nothing to do. */
const INTERVAL_MS = 60_000;

/** Every minute removes dead letters replayed more than 90 days ago, in short transactions. */
export function startPruningLetters(database: Database, log: Log): { stop(): Promise<void> } {
  const work = () => pruneLetters(database);
  return every({ everyMs: INTERVAL_MS, log, name: 'prune dead letters', work });
}

export async function pruneLetters(database: Database): Promise<void> {
  while ((await database.query(PRUNE_DEAD_LETTERS)).length === CHUNK);
}
