import { type Database, every, type Log } from '@plataforma/chassis';
import type { Clock } from '@plataforma/kernel';
import { settleReceivables } from './operations/settle-receivables.ts';
import { claimDueReceivables } from './store/receivables.ts';

interface Schedule {
  database: Database;
  log: Log;
  clock: Clock;
  /** How long the clock waits between two looks. */
  everyMs: number;
  /**
   * For how long no other replica looks at a receivable, and how long it rests after it could not be settled.
   */
  leaseMs: number;
}

const BATCH_SIZE = 200;

/** What the clock calls: card money whose day has come becomes available. */
export function startSchedule({ database, log, clock, everyMs, leaseMs }: Schedule): {
  stop(): Promise<void>;
} {
  let isStopped = false;

  async function settleDue(): Promise<void> {
    while (!isStopped) {
      const now = clock();
      const due = await claimDueReceivables(database, { now, leaseMs, limit: BATCH_SIZE });
      if (due.length > 0) await settleReceivables({ database, log }, due, now);
      if (due.length < BATCH_SIZE) return;
    }
  }

  const running = every({ everyMs, log, name: 'due receivables', work: settleDue });
  return {
    stop() {
      isStopped = true;
      return running.stop();
    },
  };
}
