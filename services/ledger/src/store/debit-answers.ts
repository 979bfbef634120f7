import type { Transaction } from '@plataforma/data';

const REFUSE = `
  INSERT INTO debit_answers (id, is_refused) SELECT id, true FROM unnest($1::uuid[]) AS id ORDER BY id
  ON CONFLICT (id) DO UPDATE SET is_refused = true`;

/** From now on these debits are refused, whoever asks; their wallets are locked. */
export async function refuseDebits(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query(REFUSE, [ids]);
}
