import type { Database } from '@plataforma/data';
import { newsOfPayout } from '../domain/callback.ts';
import { endPayout } from '../domain/payout.ts';
import { appendCallbacks } from '../store/callbacks.ts';
import { lockDuePayout, savePayout } from '../store/payouts.ts';

/** Ends one payout that is due, and leaves its client to be told; false when none is. */
export async function endDuePayout(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    const due = await lockDuePayout(tx);
    if (!due) return false;
    const ended = endPayout(due, new Date());

    await savePayout(tx, ended);
    await appendCallbacks(tx, [newsOfPayout(ended)]);
    return true;
  });
}
