import type { Database, Transaction } from '@plataforma/data';
import { cardCallback } from '../domain/callback.ts';
import { type CardCharge, chargeBack, chargeThatPaid, undoChargeback } from '../domain/card-charge.ts';
import { appendCallbacks } from '../store/callbacks.ts';
import { lockCardChargesByCode, saveCardCharge } from '../store/card-charges.ts';

/**
 * Records a chargeback of the paid charge with this order code, and queues the callback that reports the
 * chargeback.
 */
export function chargeCardBack(database: Database, code: string, input: Parameters<typeof chargeBack>[1]) {
  return database.transaction(async (tx) => {
    const disputed = await changePaid(tx, code, (paid) => chargeBack(paid, input));
    await appendCallbacks(tx, [cardCallback('charge.chargedback', disputed, input.now)]);
    return disputed;
  });
}

/** Removes the chargeback of the paid charge with this order code. A repeated order changes nothing. */
export function undoCardChargeback(database: Database, code: string): Promise<CardCharge> {
  return database.transaction((tx) => changePaid(tx, code, undoChargeback));
}

/** Makes the provider refuse all later refunds of the paid charge with this order code. */
export async function refuseCardRefunds(database: Database, code: string): Promise<void> {
  await database.transaction((tx) => changePaid(tx, code, (paid) => ({ ...paid, refusesRefunds: true })));
}

async function changePaid(tx: Transaction, code: string, change: (paid: CardCharge) => CardCharge) {
  const changed = change(chargeThatPaid(await lockCardChargesByCode(tx, code)));
  await saveCardCharge(tx, changed);
  return changed;
}
