import type { Transaction } from '@plataforma/data';

interface Settlement {
  settledAt: Date;
  settledBy: string;
  note: string;
}

const SETTLED = 'settled_at = $2, settled_by = $3, note = $4';
const OPEN = 'withdrawal_id = $1 AND settled_at IS NULL';
const SETTLE = `UPDATE payout_alarms SET ${SETTLED} WHERE ${OPEN} AND told = 'NO_DEBIT'`;

/** An operator has the money taken of a payout whose debit was missing. */
export async function settleMissingDebit(
  tx: Transaction,
  withdrawalId: string,
  { settledAt, settledBy, note }: Settlement,
): Promise<void> {
  await tx.query(SETTLE, [withdrawalId, settledAt, settledBy, note]);
}

const SETTLE_ALL = `
  UPDATE payout_alarms SET ${SETTLED}, proposed_by = NULL, proposed_at = NULL, offer = NULL
  WHERE ${OPEN} AND recorded = 'APPROVED'`;

/**
 * An operator has ended a payout without its debit: nothing is held any more. The books are accepted by none of this, and
 * what they still do not prove is raised about the next one.
 */
export async function settleDoubts(
  tx: Transaction,
  withdrawalId: string,
  { settledAt, settledBy, note }: Settlement,
): Promise<void> {
  await tx.query(SETTLE_ALL, [withdrawalId, settledAt, settledBy, note]);
}

const SETTLE_FOUND = `
  UPDATE payout_alarms SET settled_at = $3, note = $4
  WHERE withdrawal_id = $1 AND told = 'NO_DEBIT' AND settled_at IS NULL AND created_at = $2::timestamptz
  RETURNING id`;

/** The books have the debit that was missing. Null: an operator has settled the alarm since, or it was raised anew. */
export async function settleFoundDebit(
  tx: Transaction,
  withdrawalId: string,
  { raisedAt, settledAt, note }: { raisedAt: string; settledAt: Date; note: string },
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(SETTLE_FOUND, [withdrawalId, raisedAt, settledAt, note]);
  return row?.id ?? null;
}

const LOOK_AT = `
  UPDATE withdrawals SET next_check_at = $2 WHERE id = $1 AND status = 'APPROVED' AND lease_token IS NULL`;

/** When the clock compares the books of an approved one next, unless it does at this moment. */
export async function lookAtApproved(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.query(LOOK_AT, [id, at]);
}
