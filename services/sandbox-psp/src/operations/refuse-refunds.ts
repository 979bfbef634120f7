import type { Database } from '@plataforma/data';
import { onlyOne } from '../domain/charge.ts';
import { lockChargesByTxid, saveRefusalOfRefunds } from '../store/charges.ts';

/** From now on refunds of the charge's payments are sent back. */
export async function refuseRefunds(database: Database, txid: string): Promise<void> {
  await database.transaction(async (tx) => {
    await saveRefusalOfRefunds(tx, onlyOne(await lockChargesByTxid(tx, txid)));
  });
}
