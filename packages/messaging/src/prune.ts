import { type Database, every, type Log } from '@plataforma/chassis';

const KEEP_DAYS = 30;
const CHUNK = 5_000;

const PRUNE_OUTBOX = `
  DELETE FROM outbox WHERE position IN (
    SELECT position FROM outbox WHERE published_at < now() - interval '${KEEP_DAYS} days' LIMIT ${CHUNK})
  RETURNING position`;

const PRUNE_INBOX = `
  DELETE FROM inbox WHERE event_id IN (
    SELECT event_id FROM inbox WHERE received_at < now() - interval '${KEEP_DAYS} days' LIMIT ${CHUNK})
  RETURNING event_id`;

/** Short, because a process that never runs for longer must prune, too; most times there is nothing to do. */
const INTERVAL_MS = 60_000;

/** Every minute removes what was published or applied more than 30 days ago, in short transactions. */
export function startPruning(database: Database, log: Log): { stop(): Promise<void> } {
  return every({ everyMs: INTERVAL_MS, log, name: 'prune messages', work: () => pruneMessages(database) });
}

async function pruneMessages(database: Database): Promise<void> {
  for (const statement of [PRUNE_OUTBOX, PRUNE_INBOX]) {
    while ((await database.query(statement)).length === CHUNK);
  }
}
