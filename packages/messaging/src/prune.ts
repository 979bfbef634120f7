import type { Database } from '@plataforma/data';
import { every, type Log } from '@plataforma/observe';

const KEEP_DAYS = 30;
const KEEP_REPLAYED_DAYS = 90;
const CHUNK = 5_000;

const PRUNE_OUTBOX = `
  DELETE FROM outbox WHERE position IN (
    SELECT position FROM outbox WHERE published_at < now() - interval '${KEEP_DAYS} days' LIMIT ${CHUNK})
  RETURNING position`;

/** What a dead letter's copy has done is remembered for as long as the letter may be replayed. */
const PRUNE_INBOX = `
  DELETE FROM inbox WHERE event_id IN (
    SELECT event_id FROM inbox WHERE received_at < now() - interval '${KEEP_DAYS} days'
      AND NOT EXISTS (SELECT FROM dead_letters d WHERE d.event_id = inbox.event_id AND d.replayed_at IS NULL)
    LIMIT ${CHUNK})
  RETURNING event_id`;

const PRUNE_DEAD_LETTERS = `
  DELETE FROM dead_letters WHERE id IN (
    SELECT id FROM dead_letters WHERE replayed_at < now() - interval '${KEEP_REPLAYED_DAYS} days' LIMIT ${CHUNK})
  RETURNING id`;

/** Short, because a process that never runs for longer must prune, too; most times there is nothing to do. */
const INTERVAL_MS = 60_000;

/** Every minute removes what was published more than 30 days ago, in short transactions. */
export function startPruning(database: Database, log: Log): { stop(): Promise<void> } {
  return every({
    everyMs: INTERVAL_MS,
    log,
    name: 'prune messages',
    work: () => prune(database, [PRUNE_OUTBOX]),
  });
}

/** The same of a listener: what was applied more than 30 days ago, and dead letters replayed more than 90 days ago. */
export function startPruningReceived(database: Database, log: Log): { stop(): Promise<void> } {
  const work = () => pruneReceived(database);
  return every({ everyMs: INTERVAL_MS, log, name: 'prune received messages', work });
}

export function pruneReceived(database: Database): Promise<void> {
  return prune(database, [PRUNE_INBOX, PRUNE_DEAD_LETTERS]);
}

async function prune(database: Database, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    while ((await database.query(statement)).length === CHUNK);
  }
}
