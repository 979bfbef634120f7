import type { Transaction } from '@plataforma/chassis';

const REMEMBER =
  'INSERT INTO refund_answers (id) SELECT unnest($1::uuid[]) ORDER BY 1 ON CONFLICT DO NOTHING';
const LOCK = 'SELECT id, is_refused FROM refund_answers WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE';

/** Which of these refunds were refused before; nobody else answers any of them until the transaction ends. */
export async function lockRefusedRefunds(tx: Transaction, ids: readonly string[]): Promise<Set<string>> {
  await tx.query(REMEMBER, [ids]);
  const rows = await tx.query<{ id: string; is_refused: boolean }>(LOCK, [ids]);
  return new Set(rows.filter((row) => row.is_refused).map(({ id }) => id));
}

const REFUSE = 'UPDATE refund_answers SET is_refused = true WHERE id = ANY ($1::uuid[])';

export async function rememberRefusals(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.query(REFUSE, [ids]);
}
