import type { Queryable } from '@plataforma/data';
import type { Charge } from '../domain/charge.ts';
import { CHARGE_COLUMNS, type ChargeRow, chargeOf } from './charge-rows.ts';

const INSERT = `
  INSERT INTO charges
    (id, merchant_id, environment, external_id, txid, payment_method, amount_cents, fee_cents, net_cents,
     status, payer_name, payer_document, payer_email, description, created_at, expires_at, installments, next_check_at,
     lease_token, lease_until, card_token_hash, metadata)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
  ON CONFLICT DO NOTHING
  RETURNING id`;

/**
 * False: this externalId has its charge already, or had an attempt with this token. A card charge is born under the lease
 * of its caller.
 */
export async function insertCharge(
  db: Queryable,
  charge: Charge,
  cardTokenHash: Buffer | null,
): Promise<boolean> {
  const rows = await db.query(INSERT, [
    charge.id,
    charge.merchantId,
    charge.environment,
    charge.externalId,
    charge.txid,
    charge.paymentMethod,
    charge.amount,
    charge.feeAmount,
    charge.netAmount,
    charge.status,
    charge.payerName,
    charge.payerDocument,
    charge.payerEmail,
    charge.description,
    charge.createdAt,
    charge.expiresAt,
    charge.card?.installments ?? null,
    charge.dueAt,
    charge.leaseToken,
    charge.leaseUntil,
    cardTokenHash,
    charge.metadata,
  ]);
  return rows.length === 1;
}

const SET_QR_CODE = `
  UPDATE charges
  SET qr_code = CASE WHEN status = 'PENDING' THEN coalesce(qr_code, $2) ELSE qr_code END,
      next_check_at = least(expires_at, $3), lease_token = NULL, lease_until = NULL
  WHERE id = $1
  RETURNING ${CHARGE_COLUMNS.join(', ')}`;

/**
 * Records the provider's confirmation, and when to look at the charge next. A charge that has come to its end gets no
 * code. Answers the charge as it is now.
 */
export async function setQrCode(
  db: Queryable,
  id: string,
  { qrCode, nextCheckAt }: { qrCode: string; nextCheckAt: Date },
): Promise<Charge> {
  const [row] = await db.query<ChargeRow>(SET_QR_CODE, [id, qrCode, nextCheckAt]);
  if (!row) throw new Error('a charge vanished');
  return chargeOf(row);
}
