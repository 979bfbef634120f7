import { type Database, startLooking } from '@plataforma/data';
import type { Clock } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import { failPoint } from './fail-points.ts';
import { announceSettledDays } from './operations/announce-settled-days.ts';
import { checkBooks } from './operations/check-books.ts';
import { settleReceivables } from './operations/settle-receivables.ts';
import { claimMovedReceivables } from './store/moved-clocks.ts';
import { claimDueReceivables } from './store/receivables.ts';

interface Schedule {
  database: Database;
  log: Log;
  clock: Clock;
  /** The pause of the scheduler between two looks for due work. */
  everyMs: number;
  /**
   * For how long no other replica looks at a receivable, and how long it rests after it could not be settled.
   */
  leaseMs: number;
  /** From one check of all books to the next; 0: they are not checked. */
  checkBooksEveryMs: number;
  entriesPerTurn: number;
}

const BATCH_SIZE = 200;

/** Starts the scheduler: card money whose day has come becomes available, and the books are checked. */
export function startSchedule(schedule: Schedule): { stop(): Promise<void> } {
  const { database, log, clock, everyMs, leaseMs, entriesPerTurn } = schedule;
  let isStopped = false;
  const parts = { database, log, isStopped: () => isStopped };

  async function settleDue(): Promise<void> {
    while (!isStopped) {
      const now = clock();
      const claim = { now, leaseMs, limit: BATCH_SIZE };
      const due = [
        ...(await claimDueReceivables(database, claim)),
        ...(await claimMovedReceivables(database, claim)),
      ];
      if (due.length > 0) failPoint('receivables.claimed');
      if (due.length > 0) await settleReceivables(parts, due, now);
      if (due.length < BATCH_SIZE) return;
    }
  }

  const checking = { database, log, roundEveryMs: schedule.checkBooksEveryMs, entriesPerTurn };
  const looks = [
    { name: 'due receivables', look: settleDue },
    { name: 'settled days', look: () => announceSettledDays(parts) },
    ...(schedule.checkBooksEveryMs > 0
      ? [{ name: 'check of the books', look: () => checkBooks(checking) }]
      : []),
  ];
  const running = looks.map((each) => startLooking({ database, log, everyMs, ...each }));
  return {
    async stop() {
      isStopped = true;
      await Promise.all(running.map((each) => each.stop()));
    },
  };
}
