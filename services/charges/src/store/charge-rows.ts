import { columnsOf, type Queryable } from '@plataforma/data';
import type { Cents } from '@plataforma/kernel';
import type { Card, Charge } from '../domain/charge.ts';

/**
 * The columns are listed by name. With `*`, a column that a newer release adds would change the result of a
 * prepared statement.
 */
export const CHARGE_COLUMNS = columnsOf(`
  id, merchant_id, environment, external_id, txid, payment_method, amount_cents AS amount,
  fee_cents AS feeAmount,
  net_cents AS netAmount, status, sequence, payer_name, payer_document, payer_email, description, metadata,
  qr_code,
  end_to_end_id, created_at, expires_at, paid_at, settles_at, installments, acquirer_id, card_brand AS brand,
  card_last_digits AS lastDigits, nsu, authorization_code, decline_reason, is_voiding, is_watched,
  refunded_cents, refunded_at, refund_reason,
  next_check_at AS dueAt, checks AS attempts, lease_token, lease_until, checkout_id, payment_link_id`);

export type ChargeRow = Omit<Charge, 'card' | 'refund'> &
  Omit<Card, 'installments'> & {
    /** Null for a Pix charge. */
    installments: number | null;
    refundedCents: Cents | null;
    refundedAt: Date | null;
    refundReason: string | null;
  };

const SELECT = `SELECT ${CHARGE_COLUMNS.join(', ')} FROM charges WHERE`;

export async function findCharge(
  db: Queryable,
  condition: string,
  values: readonly unknown[],
): Promise<Charge | null> {
  const [row] = await db.query<ChargeRow>(`${SELECT} ${condition}`, values);
  return row ? chargeOf(row) : null;
}

export function chargeOf(row: ChargeRow): Charge {
  const { installments, acquirerId, brand, lastDigits, nsu, authorizationCode, ...others } = row;
  const { declineReason, isVoiding, isWatched, ...rest } = others;
  const { refundedCents: amount, refundedAt: at, refundReason: reason, ...charge } = rest;
  const names = { acquirerId, brand, lastDigits, nsu, authorizationCode };
  const card = { ...names, declineReason, isVoiding, isWatched };
  return {
    ...charge,
    card: installments === null ? null : { installments, ...card },
    refund: amount === null || at === null ? null : { amount, at, reason },
  };
}
