import type { Database } from '@plataforma/data';
import { chargeThatPaid } from '../domain/card-charge.ts';
import { lockCardChargesByCode, saveCardCharge } from '../store/card-charges.ts';

/** From now on the charge can't be refunded. */
export async function refuseCardRefunds(database: Database, code: string): Promise<void> {
  await database.transaction(async (tx) => {
    const charge = chargeThatPaid(await lockCardChargesByCode(tx, code));
    await saveCardCharge(tx, { ...charge, refusesRefunds: true });
  });
}
