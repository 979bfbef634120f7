import type { Database } from '@plataforma/data';
import type { Log } from '@plataforma/observe';
import { announce } from '@plataforma/tables';
import { ZONE } from '../domain/settled-day.ts';
import { type EndedDay, findEndedDays, takeSettledDay } from '../store/settled-days.ts';
import { lockWallets } from '../store/wallets.ts';

const BATCH_SIZE = 200;

interface AnnounceDays {
  database: Database;
  log: Log;
  /** Returns true if the process is stopping. A different process then publishes the remaining days. */
  isStopped?: () => boolean;
}

/**
 * Publishes an event for each day that has ended and on which money settled. A failure for one day does not
 * delay the other days.
 */
export async function announceSettledDays({
  database,
  log,
  isStopped = () => false,
}: AnnounceDays): Promise<void> {
  for (const day of await findEndedDays(database, BATCH_SIZE)) {
    if (isStopped()) return;
    await announceDay(database, day).catch((err) =>
      log.error({ err, settledDayId: day.id }, 'settled day not announced'),
    );
  }
}

async function announceDay(database: Database, day: EndedDay): Promise<void> {
  const { id, merchantId, environment } = day;
  await database.transaction(async (tx) => {
    // Wait for open transactions that posted settlements of this day. Each holds the row lock of the wallet
    // until its commit.
    await lockWallets(tx, [{ merchantId, environment }]);
    const taken = await takeSettledDay(tx, day);
    if (!taken) return;
    const about = { merchantId, environment, aggregateId: id, sequence: taken.sequence };
    await announce(tx, { ...about, type: 'receivable.settled', data: { id, ...taken.sum, timeZone: ZONE } });
  });
}
