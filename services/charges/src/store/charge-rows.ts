import { columnsOf, fieldsOf, type Queryable, type SealedTable } from '@plataforma/data';
import type { Cents } from '@plataforma/kernel';
import { isTrusted, requireTrusted, type SealedRows, sealOf } from '@plataforma/tables';
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
  next_check_at AS dueAt, checks AS attempts, lease_token, lease_until, checkout_id, payment_link_id,
  seal`);

export type ChargeRow = Omit<Charge, 'card' | 'refund'> &
  Omit<Card, 'installments'> & {
    /** Null for a Pix charge. */
    installments: number | null;
    refundedCents: Cents | null;
    refundedAt: Date | null;
    refundReason: string | null;
  };

/** The scheduler's planning fields. They order no money, so the seal does not cover them. */
const UNSEALED = ['id', 'dueAt', 'attempts', 'leaseToken', 'leaseUntil', 'seal'];

const sealedCharges: SealedTable = {
  name: 'charges',
  fields: fieldsOf(CHARGE_COLUMNS).filter((field) => !UNSEALED.includes(field)),
};
/** The description of charges for a command that seals existing rows. */
export const chargesToSeal: SealedRows = {
  table: sealedCharges,
  ...{ key: 'id', keyType: 'uuid', columns: CHARGE_COLUMNS },
};

/** Returns the charge with the seal that its row gets when the charge is saved. */
export function withSeal(db: Queryable, charge: Charge): Charge {
  return { ...charge, seal: sealOf(db, sealedCharges, rowOf(charge)) };
}

/** Throws INVALID_STATE if the stored charge has no valid seal, so that no order follows. */
export function requireSeal(db: Queryable, charge: Charge): void {
  requireTrusted(db, sealedCharges, rowOf(charge));
}

/** Returns whether the stored charge has a valid seal. */
export function isSealed(db: Queryable, charge: Charge): boolean {
  return isTrusted(db, sealedCharges, rowOf(charge));
}

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
  const read = {
    ...charge,
    card: installments === null ? null : { installments, ...card },
    refund: amount === null || at === null ? null : { amount, at, reason },
  };
  // A row with an impossible value, such as card data of a Pix charge, has no valid seal.
  const expected: Readonly<Record<string, unknown>> = rowOf(read);
  const isWhole = Object.entries(row).every(([field, value]) => expected[field] === value);
  return isWhole ? read : { ...read, seal: null };
}

const noCard = {
  installments: null,
  ...{ acquirerId: null, brand: null, lastDigits: null, nsu: null, authorizationCode: null },
  ...{ declineReason: null, isVoiding: false, isWatched: false },
};

function rowOf({ card, refund, ...charge }: Charge): ChargeRow {
  const { amount: refundedCents = null, at: refundedAt = null, reason: refundReason = null } = refund ?? {};
  return { ...charge, ...(card ?? noCard), refundedCents, refundedAt, refundReason };
}
