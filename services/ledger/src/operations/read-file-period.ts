import type { Database } from '@plataforma/data';
import { type Cents, later, type Tenant } from '@plataforma/kernel';
import { aheadOf } from '@plataforma/service';
import { withdrawable } from '../domain/wallet.ts';
import { findAvailable } from '../store/available-rows.ts';
import type { Period } from '../store/counters.ts';
import { inSnapshot } from '../store/in-snapshot.ts';
import { findWalletAt } from '../store/statement-balance.ts';
import { type FoundPeriod, findPeriod } from '../store/statement-period.ts';

/** The period of a file with its balances. Neither end is after `now`. */
export interface FilePeriod extends FoundPeriod {
  /** The start date, or else the time of the first row, or else `end`. */
  start: Date;
  /** The last instant, inclusive. */
  end: Date;
  /** The database's time, which dates the rows, moved by the sandbox's clock. */
  now: Date;
  /** The withdrawable cents at the end. */
  withdrawableBalance: Cents;
}

const LATEST = new Date('9999-12-31T00:00:00Z');

/** Reads the rows and both balances in one snapshot, so that they add up. */
export function readFilePeriod(
  database: Database,
  merchant: Tenant,
  period: Period & { view: 'ledger' | 'available' },
): Promise<FilePeriod> {
  const { startDate, endDate = LATEST } = period;
  const lastInstant = new Date(endDate.getTime() - 1);
  return inSnapshot(database, async (tx) => {
    const found = await (period.view === 'ledger' ? findPeriod : findAvailable)(tx, merchant, period);
    const { wallet, now: time } = await findWalletAt(tx, merchant, lastInstant);
    const now = later(time, await aheadOf(tx, merchant));
    const end = lastInstant < now ? lastInstant : now;
    const [first] = startDate ? [] : ((await found.rows(tx, 'asc').next()).value ?? []);
    const start = startDate && startDate > end ? end : (startDate ?? first?.createdAt ?? end);
    return { ...found, start, end, now, withdrawableBalance: withdrawable(wallet) };
  });
}
