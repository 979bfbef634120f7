import type { Database } from '@plataforma/data';
import { type CardCharge, chargeThatPaid, undoChargeback } from '../domain/card-charge.ts';
import { lockCardChargesByCode, saveCardCharge } from '../store/card-charges.ts';

/** Gives the receiver the money of a chargeback back; a repeated order changes nothing. */
export async function undoCardChargeback(database: Database, code: string): Promise<CardCharge> {
  return database.transaction(async (tx) => {
    const charge = undoChargeback(chargeThatPaid(await lockCardChargesByCode(tx, code)));
    await saveCardCharge(tx, charge);
    return charge;
  });
}
