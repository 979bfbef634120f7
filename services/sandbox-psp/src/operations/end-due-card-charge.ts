import type { Database } from '@plataforma/data';
import { newsOfCardCharge } from '../domain/callback.ts';
import { endCardCharge } from '../domain/card-charge.ts';
import { appendCallbacks } from '../store/callbacks.ts';
import { lockDueCardCharge, saveCardCharge } from '../store/card-charges.ts';

/** Ends one processing card charge that is due, and leaves its receiver to be told; false when none is. */
export async function endDueCardCharge(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    const due = await lockDueCardCharge(tx);
    if (!due) return false;
    const now = new Date();
    const ended = endCardCharge(due, now);

    await saveCardCharge(tx, ended);
    const hook = ended.status === 'paid' ? 'charge.paid' : 'charge.payment_failed';
    await appendCallbacks(tx, [newsOfCardCharge(hook, ended, now)]);
    return true;
  });
}
