import type { Queryable, Transaction } from '@plataforma/data';
import type { Remembering } from '@plataforma/http';
import { isCurrentSql, isHeldSql } from '@plataforma/service';
import type { Charge } from '../domain/charge.ts';
import { subjectOf } from '../domain/held.ts';
import { findAnyCharge } from './charges.ts';

const INSERT = `
  INSERT INTO charges
    (id, merchant_id, environment, external_id, txid, payment_method, amount_cents, fee_cents, net_cents,
     status, payer_name, payer_document, payer_email, description, created_at, expires_at, installments, next_check_at,
     lease_token, lease_until, card_token_hash, metadata, checkout_id, payment_link_id)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $26,
    $27
  WHERE NOT ${isHeldSql({ what: '$23', provider: '$24', merchantId: '$2' })}
    AND lock_order($2, $3, $4, $27)
    AND ($25::integer IS NULL OR ${isCurrentSql({ merchantId: '$2', version: '$25' })})
  ON CONFLICT DO NOTHING
  RETURNING id`;

/** A charge to be stored, and what its statement looks at beside it. */
export interface Planned {
  charge: Charge;
  cardTokenHash: Buffer | null;
  /** Of the merchant that was recalled for its fee; null: it was just read. */
  merchantVersion: number | null;
}

/**
 * Answers false when the externalId is taken, the token was tried before, a stop holds new charges, or the merchant has
 * changed, all read with the same statement. A card charge is born under the lease of its caller.
 */
export async function insertCharge(
  db: Queryable,
  { charge, cardTokenHash, merchantVersion }: Planned,
): Promise<boolean> {
  const name = [charge.id, charge.merchantId, charge.environment, charge.externalId, charge.txid];
  const terms = [charge.paymentMethod, charge.amount, charge.feeAmount, charge.netAmount, charge.status];
  const payer = [charge.payerName, charge.payerDocument, charge.payerEmail, charge.description];
  const times = [charge.createdAt, charge.expiresAt, charge.card?.installments ?? null, charge.dueAt];
  const rest = [charge.leaseToken, charge.leaseUntil, cardTokenHash, charge.metadata];
  const { what, provider } = subjectOf('charges', charge);
  const checkout = [charge.checkoutId, charge.paymentLinkId];
  const values = [
    ...name,
    ...terms,
    ...payer,
    ...times,
    ...rest,
    what,
    provider,
    merchantVersion,
    ...checkout,
  ];
  const rows = await db.query(INSERT, values);
  return rows.length === 1;
}

/** Inserts a charge and starts the idempotency record of its request. */
export async function insertKeyedCharge<Result>(
  tx: Transaction,
  planned: Planned,
  { begin }: Remembering<Result>,
): Promise<boolean> {
  const isNew = await insertCharge(tx, planned);
  if (isNew) await begin(tx, planned.charge.id);
  return isNew;
}

const SET_QR_CODE = `
  UPDATE charges
  SET qr_code = CASE WHEN status = 'PENDING' THEN coalesce(qr_code, $2) ELSE qr_code END,
      next_check_at = CASE WHEN is_unanswered OR checks > 0 THEN least(expires_at, $3) ELSE next_check_at END,
      is_unanswered = false, lease_token = NULL, lease_until = NULL
  WHERE id = $1
  RETURNING status, qr_code AS "qrCode", next_check_at AS "dueAt"`;

/**
 * Records the provider's confirmation, and when to look at the charge next. One that is registered at once is due as it
 * was written down: no index hears of its code. A charge that has come to its end gets none. Answers the charge as it
 * is now, which is what it was as long as it is PENDING.
 */
export async function setQrCode(
  db: Queryable,
  charge: Charge,
  { qrCode, nextCheckAt }: { qrCode: string; nextCheckAt: Date },
): Promise<Charge> {
  const [row] = await db.query<Registered>(SET_QR_CODE, [charge.id, qrCode, nextCheckAt]);
  if (row?.status === 'PENDING') return { ...charge, ...row, leaseToken: null, leaseUntil: null };
  const ended = await findAnyCharge(db, charge.id);
  if (!ended) throw new Error('a charge vanished');
  return ended;
}

type Registered = Pick<Charge, 'status' | 'qrCode' | 'dueAt'>;

const NOTE_UNANSWERED = `
  UPDATE charges SET is_unanswered = true, next_check_at = least(next_check_at, $2)
  WHERE id = $1 AND status = 'PENDING' AND qr_code IS NULL AND NOT is_unanswered`;

/** Notes, once, that the provider was asked for a code and gave none: the clock asks again at `dueAt`. */
export async function noteUnanswered(db: Queryable, id: string, dueAt: Date): Promise<void> {
  await db.query(NOTE_UNANSWERED, [id, dueAt]);
}
