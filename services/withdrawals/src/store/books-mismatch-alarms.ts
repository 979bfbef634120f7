import { namesOf, type Queryable, type Transaction } from '@plataforma/data';
import type { BooksMismatchKind, Position } from '../domain/proof.ts';
import { ALARM_COLUMNS, type PayoutAlarm } from './payout-alarms.ts';
import { sealedOffer } from './wallet-proofs.ts';

interface BooksMismatchAlarm extends Omit<PayoutAlarm, 'recorded' | 'providerTxId' | 'kind'> {
  kind: BooksMismatchKind;
  /**
   * The position after which verification continues once operators have closed the alarm. Null if they cannot
   * accept the difference.
   */
  offer: Position | null;
}

/**
 * An alarm as it was before the ledger's records were read. Its times are PostgreSQL's text, because a Date
 * would lose the microseconds.
 */
export interface MismatchBefore {
  kind: BooksMismatchKind;
  raisedAt: string;
  /** The time when the alarm was closed. Null while the alarm is open. */
  settledAt: string | null;
}

const LIST = `
  SELECT told AS kind, created_at::text AS "raisedAt", settled_at::text AS "settledAt" FROM payout_alarms
  WHERE withdrawal_id = $1 AND recorded = 'APPROVED'`;

/** Lists the open and closed alarms that the ledger's records have caused for a payout. */
export function listMismatches(db: Queryable, withdrawalId: string): Promise<MismatchBefore[]> {
  return db.query<MismatchBefore>(LIST, [withdrawalId]);
}

const RAISE = `
  INSERT INTO payout_alarms AS known (${namesOf(ALARM_COLUMNS).join(', ')}, offer)
  VALUES ($1, $2, $3, $4, 'APPROVED', $5, NULL, $6, $7, $8)
  ON CONFLICT (withdrawal_id, told) DO UPDATE
    SET settled_at = NULL, settled_by = NULL, note = NULL, proposed_by = NULL, proposed_at = NULL,
    created_at = excluded.created_at,
      amount_cents = excluded.amount_cents, offer = excluded.offer
    WHERE known.settled_at = $9::timestamptz
  RETURNING id`;

/**
 * Raises the alarm, or reopens it if it was closed before the ledger's records were read. Returns false if
 * the alarm is open already or was closed later.
 */
export async function raiseMismatch(
  tx: Transaction,
  alarm: BooksMismatchAlarm,
  before: readonly MismatchBefore[],
): Promise<boolean> {
  const { id, withdrawalId, merchantId, environment, kind, amount, createdAt, offer } = alarm;
  const owner = [id, withdrawalId, merchantId, environment];
  const settledAt = before.find((earlier) => earlier.kind === kind)?.settledAt ?? null;
  const sealed = offer && JSON.stringify(sealedOffer(tx, alarm, offer));
  const values = [...owner, kind, createdAt, amount, sealed, settledAt];
  return (await tx.query(RAISE, values)).length === 1;
}

interface Closing {
  settledAt: Date;
  settledBy: string;
  note: string;
}

const CLOSED = 'settled_at = $2, settled_by = $3, note = $4';
const OPEN = 'withdrawal_id = $1 AND settled_at IS NULL';
const CLOSE_MISSING_DEBIT = `UPDATE payout_alarms SET ${CLOSED} WHERE ${OPEN} AND told = 'NO_DEBIT'`;

export async function closeMissingDebit(
  tx: Transaction,
  withdrawalId: string,
  { settledAt, settledBy, note }: Closing,
): Promise<void> {
  await tx.query(CLOSE_MISSING_DEBIT, [withdrawalId, settledAt, settledBy, note]);
}

const CLOSE_ALL = `
  UPDATE payout_alarms SET ${CLOSED}, proposed_by = NULL, proposed_at = NULL, offer = NULL
  WHERE ${OPEN} AND recorded = 'APPROVED'`;

/**
 * Closes all alarms about the ledger's records for a payout that an operator ended as FAILED. The records are
 * not accepted: the merchant's next payout raises an alarm for each remaining difference.
 */
export async function closeMismatches(
  tx: Transaction,
  withdrawalId: string,
  { settledAt, settledBy, note }: Closing,
): Promise<void> {
  await tx.query(CLOSE_ALL, [withdrawalId, settledAt, settledBy, note]);
}

const CLOSE_FOUND_DEBIT = `
  UPDATE payout_alarms SET settled_at = $3, note = $4
  WHERE withdrawal_id = $1 AND told = 'NO_DEBIT' AND settled_at IS NULL AND created_at = $2::timestamptz
  RETURNING id`;

/**
 * Closes the alarm about a missing debit after the debit was found. Returns the alarm's id, or null if it was
 * closed or raised again in the meantime.
 */
export async function closeFoundDebit(
  tx: Transaction,
  withdrawalId: string,
  { raisedAt, settledAt, note }: { raisedAt: string; settledAt: Date; note: string },
): Promise<string | null> {
  const values = [withdrawalId, raisedAt, settledAt, note];
  const [row] = await tx.query<{ id: string }>(CLOSE_FOUND_DEBIT, values);
  return row?.id ?? null;
}
