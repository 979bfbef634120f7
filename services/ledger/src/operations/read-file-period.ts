import type { Database } from '@plataforma/data';
import { type Cents, later, type Tenant } from '@plataforma/kernel';
import { aheadOf } from '@plataforma/service';
import { withdrawable } from '../domain/wallet.ts';
import { findAvailable } from '../store/available-rows.ts';
import type { Period } from '../store/counters.ts';
import { inSnapshot } from '../store/in-snapshot.ts';
import { findWalletAt } from '../store/statement-balance.ts';
import { type FoundPeriod, findPeriod } from '../store/statement-period.ts';

/** The rows and balances of a file's period. The period does not extend beyond the present. */
export interface FilePeriod extends FoundPeriod {
  /**
   * The requested start. Without a requested start it is the time of the first row, or `end` if no row
   * exists.
   */
  start: Date;
  /** The last millisecond of the period (inclusive). */
  end: Date;
  /**
   * The current time of the database, plus the time by which the merchant's sandbox clock is ahead. Rows are
   * dated by this clock.
   */
  now: Date;
  /** The cents that the merchant could withdraw at the period's end. */
  withdrawableBalance: Cents;
}

const LATEST = new Date('9999-12-31T00:00:00Z');

/** Reads rows and balances in one database snapshot, so that they agree. */
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
