import { type Database, every, type Log } from '@plataforma/chassis';
import type { Clock } from '@plataforma/kernel';
import type { Retention } from './domain/retention.ts';
import { forgetOld } from './operations/forget-old.ts';
import type { Sender } from './sending/sender.ts';

interface Schedule {
  database: Database;
  log: Log;
  clock: Clock;
  sender: Sender;
  retention: Retention;
  /** How long the clock waits between two looks for what is old. */
  forgetEveryMs: number;
}

const POLL_MS = 1_000;

/**
 * What the clock calls: the sender looks for what no signal told of, such as leases of senders that died; and what is
 * older than it is kept goes.
 */
export function startSchedule(parts: Schedule): { stop(): Promise<void> } {
  const { database, log, clock, sender, retention, forgetEveryMs } = parts;
  const jobs = [
    every({ everyMs: POLL_MS, log, name: 'due deliveries', work: async () => sender.wake() }),
    every({
      everyMs: forgetEveryMs,
      log,
      name: 'old events',
      work: () => forgetOld(database, retention, clock()),
    }),
  ];
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
