import { type Database, every, type Log } from '@plataforma/chassis';
import { deleteSessionsOver } from './store/sessions.ts';

/** Short, because a process that never runs for longer must prune, too; most times there is nothing to do. */
const INTERVAL_MS = 60_000;
const CHUNK = 1_000;

/** Every minute, unless told otherwise, forgets the sessions that were ended or have expired, in short transactions. */
export function startSessionPruning(
  database: Database,
  log: Log,
  everyMs = INTERVAL_MS,
): { stop(): Promise<void> } {
  return every({
    everyMs,
    log,
    name: 'prune sessions',
    work: async () => {
      while ((await deleteSessionsOver(database, CHUNK)) === CHUNK);
    },
  });
}
