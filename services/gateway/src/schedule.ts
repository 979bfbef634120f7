import type { Database } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import { every, type Log } from '@plataforma/observe';
import { pruneRateCounters } from './store/rate-counters.ts';
import { deleteSessionsOver } from './store/sessions.ts';

interface Schedule {
  database: Database;
  log: Log;
  clock: Clock;
  everyMs?: number;
}

/** Short, because a process that never runs for longer must forget, too; most times there is nothing to do. */
const INTERVAL_MS = 60_000;
const CHUNK = 1_000;

/** What the clock calls: sessions that were ended or have expired are forgotten, and counts of log-ins that are over. */
export function startSchedule({ database, log, clock, everyMs = INTERVAL_MS }: Schedule): {
  stop(): Promise<void>;
} {
  const forgetSessions = async () => {
    while ((await deleteSessionsOver(database, CHUNK)) === CHUNK);
  };
  const forgetCounts = () => pruneRateCounters(database, clock());
  const jobs = [
    every({ everyMs, log, name: 'sessions that are over', work: forgetSessions }),
    every({ everyMs, log, name: 'counts of log-ins', work: forgetCounts }),
  ];
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
