import type { Queryable, Transaction } from '@plataforma/data';
import type { OrderedEnd, Payout, PayoutStatus } from '../domain/payout.ts';

interface PayoutRow {
  client_id: string;
  payout_id: string;
  end_to_end_id: string;
  amount_cents: number;
  payer_key: string;
  payee_key: string;
  note: string | null;
  status: PayoutStatus;
  requested_at: Date;
  ended_at: Date | null;
  ordered_end: OrderedEnd | null;
}

const COLUMNS = `
  client_id, payout_id, end_to_end_id, amount_cents, payer_key, payee_key, note, status, requested_at, ended_at,
  ordered_end`;

const INSERT = `
  INSERT INTO payouts
    (client_id, payout_id, end_to_end_id, amount_cents, payer_key, payee_key, note, requested_at,
     ordered_end, due_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce(now() + $10 * interval '1 millisecond', 'infinity'))
  ON CONFLICT (client_id, payout_id) DO NOTHING
  RETURNING true`;

/** False when the client has a payout with this id already. A new one is due to end after `delayMs`; null: by order. */
export async function insertPayout(
  tx: Transaction,
  payout: Payout,
  delayMs: number | null,
): Promise<boolean> {
  const rows = await tx.query(INSERT, [
    payout.clientId,
    payout.id,
    payout.endToEndId,
    payout.amount,
    payout.payerKey,
    payout.payeeKey,
    payout.note,
    payout.requestedAt,
    payout.orderedEnd,
    delayMs,
  ]);
  return rows.length > 0;
}

const FIND = `SELECT ${COLUMNS} FROM payouts WHERE client_id = $1 AND payout_id = $2`;

export async function findPayout(db: Queryable, clientId: string, id: string): Promise<Payout | undefined> {
  const [row] = await db.query<PayoutRow>(FIND, [clientId, id]);
  return row && payoutOf(row);
}

const LOCK_DUE = `
  SELECT ${COLUMNS} FROM payouts
  WHERE status = 'EM_PROCESSAMENTO' AND due_at <= now()
  ORDER BY due_at
  LIMIT 1
  FOR NO KEY UPDATE SKIP LOCKED`;

/** Locks a payout that is due to end and that nobody else is ending. */
export async function lockDuePayout(tx: Transaction): Promise<Payout | undefined> {
  const [row] = await tx.query<PayoutRow>(LOCK_DUE);
  return row && payoutOf(row);
}

const SAVE_END = 'UPDATE payouts SET status = $3, ended_at = $4 WHERE client_id = $1 AND payout_id = $2';

export async function savePayoutEnd(tx: Transaction, payout: Payout): Promise<void> {
  await tx.query(SAVE_END, [payout.clientId, payout.id, payout.status, payout.endedAt]);
}

const LIST = `SELECT ${COLUMNS} FROM payouts ORDER BY position`;

export async function listAllPayouts(db: Queryable): Promise<Payout[]> {
  const rows = await db.query<PayoutRow>(LIST);
  return rows.map(payoutOf);
}

function payoutOf(row: PayoutRow): Payout {
  return {
    clientId: row.client_id,
    id: row.payout_id,
    endToEndId: row.end_to_end_id,
    amount: row.amount_cents,
    payerKey: row.payer_key,
    payeeKey: row.payee_key,
    note: row.note,
    status: row.status,
    requestedAt: row.requested_at,
    endedAt: row.ended_at,
    orderedEnd: row.ordered_end,
  };
}
