import type { Database } from '@plataforma/data';
import { onlyOne } from '../domain/charge.ts';
import { lockChargesByTxid, saveRefusalOfRefunds } from '../store/charges.ts';

/** Makes the payer's bank refuse each new refund of the charge's payments from now on. */
export async function refuseRefunds(database: Database, txid: string): Promise<void> {
  await database.transaction(async (tx) => {
    await saveRefusalOfRefunds(tx, onlyOne(await lockChargesByTxid(tx, txid)));
  });
}
