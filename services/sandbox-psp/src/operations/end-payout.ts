import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { OrderedEnd } from '../domain/payout.ts';
import { lockPayout, lockPayoutId, orderEnd, saveOrderedEnd } from '../store/payouts.ts';

/**
 * Orders the result of a payout, or `hold` to keep the payout in progress. The payout may be created after
 * this order. Throws if the payout has ended.
 */
export async function endPayoutAs(database: Database, id: string, end: OrderedEnd): Promise<void> {
  await database.transaction(async (tx) => {
    await lockPayoutId(tx, id);
    const payout = await lockPayout(tx, id);
    if (!payout) return saveOrderedEnd(tx, id, end);
    if (payout.status !== 'EM_PROCESSAMENTO') {
      throw new Refusal('conflict', 'INVALID_STATE', `the payout has ended already: ${payout.status}`);
    }
    await orderEnd(tx, id, end);
  });
}
