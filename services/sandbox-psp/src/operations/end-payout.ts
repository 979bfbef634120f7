import type { Database } from '@plataforma/data';
import { Refusal } from '@plataforma/kernel';
import type { OrderedEnd } from '../domain/payout.ts';
import { keepOrderedEnd, lockPayoutEnd, lockPayoutStatus, orderEnd } from '../store/payout-ends.ts';

/** Says how a payout ends, or that it does not by itself, also of one that is still to come. */
export async function endPayoutAs(database: Database, id: string, end: OrderedEnd): Promise<void> {
  await database.transaction(async (tx) => {
    await lockPayoutEnd(tx, id);
    const status = await lockPayoutStatus(tx, id);
    if (status === undefined) return keepOrderedEnd(tx, id, end);
    if (status !== 'EM_PROCESSAMENTO') {
      throw new Refusal('conflict', 'INVALID_STATE', `the payout has ended already: ${status}`);
    }
    await orderEnd(tx, id, end);
  });
}
