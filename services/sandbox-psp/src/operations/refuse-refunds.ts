import type { Database } from '@plataforma/data';
import { onlyOne } from '../domain/charge.ts';
import { lockChargesByTxid, saveRefusalOfRefunds } from '../store/charges.ts';

/** From now on the payer's bank refuses each new refund of the charge's payments. */
export async function refuseRefunds(database: Database, txid: string): Promise<void> {
  await database.transaction(async (tx) => {
    await saveRefusalOfRefunds(tx, onlyOne(await lockChargesByTxid(tx, txid)));
  });
}
