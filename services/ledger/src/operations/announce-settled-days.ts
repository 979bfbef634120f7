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
  /** Returns whether the process is stopping. Another process announces the other days. */
  isStopped?: () => boolean;
}

/** Announces ended days on which money settled, each once. A day that fails does not delay the others. */
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
    // Transactions that posted before the end of the day have this lock until their commit.
    await lockWallets(tx, [{ merchantId, environment }]);
    const taken = await takeSettledDay(tx, day);
    if (!taken) return;
    const about = { merchantId, environment, aggregateId: id, sequence: taken.sequence };
    await announce(tx, { ...about, type: 'receivable.settled', data: { id, ...taken.sum, timeZone: ZONE } });
  });
}
