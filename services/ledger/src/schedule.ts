import { startPolling } from '@plataforma/data';
import type { LedgerDependencies } from './dependencies.ts';
import { failPoint } from './fail-points.ts';
import { announceSettledDays } from './operations/announce-settled-days.ts';
import { checkBooks } from './operations/check-books.ts';
import { settleReceivables } from './operations/settle-receivables.ts';
import { claimMovedReceivables } from './store/moved-clocks.ts';
import { claimDueReceivables } from './store/receivables.ts';

const BATCH_SIZE = 200;

export function startSchedule(dependencies: LedgerDependencies): { stop(): Promise<void> } {
  const { database, log, clock, everyMs, leaseMs, entriesPerCheck, checkBooksEveryMs } = dependencies;
  let isStopped = false;
  const stoppable = { database, log, isStopped: () => isStopped };

  async function settleDue(): Promise<void> {
    while (!isStopped) {
      const now = clock();
      const leaseRequest = { now, leaseMs, limit: BATCH_SIZE };
      const due = [
        ...(await claimDueReceivables(database, leaseRequest)),
        ...(await claimMovedReceivables(database, leaseRequest)),
      ];
      if (due.length > 0) failPoint('receivables.claimed');
      if (due.length > 0) await settleReceivables(stoppable, due, now);
      if (due.length < BATCH_SIZE) return;
    }
  }

  const checking = { database, log, roundEveryMs: checkBooksEveryMs, entriesPerCheck };
  const polls = [
    { name: 'due receivables', poll: settleDue },
    { name: 'settled days', poll: () => announceSettledDays(stoppable) },
    ...(checkBooksEveryMs > 0 ? [{ name: 'check of the books', poll: () => checkBooks(checking) }] : []),
  ];
  const running = polls.map((each) => startPolling({ database, log, everyMs, ...each }));
  return {
    async stop() {
      isStopped = true;
      await Promise.all(running.map((each) => each.stop()));
    },
  };
}
