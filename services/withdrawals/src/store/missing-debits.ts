import type { Transaction } from '@plataforma/data';

const SETTLE = `
  UPDATE payout_alarms SET settled_at = $2, settled_by = $3, note = $4
  WHERE withdrawal_id = $1 AND told = 'NO_DEBIT' AND settled_at IS NULL`;

/** An operator has decided what becomes of a payout whose debit was missing. */
export async function settleMissingDebit(
  tx: Transaction,
  withdrawalId: string,
  { settledAt, settledBy, note }: { settledAt: Date; settledBy: string; note: string },
): Promise<void> {
  await tx.query(SETTLE, [withdrawalId, settledAt, settledBy, note]);
}

const LOOK_NOW = `
  UPDATE withdrawals SET next_check_at = $2 WHERE id = $1 AND status = 'APPROVED' AND lease_token IS NULL`;

/** Has the clock compare the books of an approved one at once, unless it does at this moment. */
export async function lookAtApproved(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.query(LOOK_NOW, [id, now]);
}
