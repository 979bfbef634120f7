import type { Queryable, Transaction } from '@plataforma/chassis';
import type { Environment, Tenant } from '@plataforma/kernel';
import type { Charge, ChargeStatus } from '../domain/charge.ts';

interface ChargeRow {
  id: string;
  merchant_id: string;
  environment: Environment;
  external_id: string;
  txid: string;
  payment_method: 'PIX';
  amount_cents: number;
  fee_cents: number;
  net_cents: number;
  status: ChargeStatus;
  sequence: number;
  payer_name: string;
  payer_document: string;
  payer_email: string | null;
  description: string | null;
  qr_code: string | null;
  end_to_end_id: string | null;
  created_at: Date;
  expires_at: Date;
  paid_at: Date | null;
  [column: string]: unknown;
}

const INSERT = `
  INSERT INTO charges
    (id, merchant_id, environment, external_id, txid, payment_method, amount_cents, fee_cents, net_cents,
     status, payer_name, payer_document, payer_email, description, created_at, expires_at, next_check_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
  ON CONFLICT ON CONSTRAINT charges_external_id DO NOTHING
  RETURNING id`;

/**
 * False: this externalId has its charge already. `nextCheckAt` is when the clock looks whether it got its
 * code.
 */
export async function insertCharge(db: Queryable, charge: Charge, nextCheckAt: Date): Promise<boolean> {
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
    nextCheckAt,
  ]);
  return rows.length === 1;
}

const SET_QR_CODE = `
  UPDATE charges
  SET qr_code = CASE WHEN status = 'PENDING' THEN coalesce(qr_code, $2) ELSE qr_code END,
      next_check_at = expires_at
  WHERE id = $1
  RETURNING *`;

/**
 * Records the provider's confirmation; from now on the clock has nothing to do before the charge expires. A
 * charge that came to its end meanwhile gets no code. Answers the charge as it is now.
 */
export async function setQrCode(db: Queryable, id: string, qrCode: string): Promise<Charge> {
  return demand(one(await db.query<ChargeRow>(SET_QR_CODE, [id, qrCode])));
}

const FIND = 'SELECT * FROM charges WHERE id = $1 AND merchant_id = $2 AND environment = $3';

export async function findCharge(db: Queryable, tenant: Tenant, id: string): Promise<Charge | null> {
  return one(await db.query<ChargeRow>(FIND, [id, tenant.merchantId, tenant.environment]));
}

const FIND_BY_EXTERNAL_ID =
  'SELECT * FROM charges WHERE merchant_id = $1 AND environment = $2 AND external_id = $3';

export async function findChargeByExternalId(
  db: Queryable,
  tenant: Tenant,
  id: string,
): Promise<Charge | null> {
  return one(await db.query<ChargeRow>(FIND_BY_EXTERNAL_ID, [tenant.merchantId, tenant.environment, id]));
}

const FIND_PUBLIC = 'SELECT * FROM charges WHERE id = $1';

/** For the checkout page, whose link is its own permission. */
export async function findPublicCharge(db: Queryable, id: string): Promise<Charge | null> {
  return one(await db.query<ChargeRow>(FIND_PUBLIC, [id]));
}

const FIND_BY_TXID = 'SELECT * FROM charges WHERE txid = $1';

export async function findChargeByTxid(db: Queryable, txid: string): Promise<Charge | null> {
  return one(await db.query<ChargeRow>(FIND_BY_TXID, [txid]));
}

const LOCK = 'SELECT * FROM charges WHERE id = $1 FOR UPDATE';

export async function lockCharge(tx: Transaction, id: string): Promise<Charge> {
  return demand(one(await tx.query<ChargeRow>(LOCK, [id])));
}

const SAVE = `
  UPDATE charges SET status = $2, sequence = $3, paid_at = $4, end_to_end_id = $5 WHERE id = $1`;

/** Saves what changes in a charge's life. */
export async function saveCharge(tx: Transaction, charge: Charge): Promise<void> {
  await tx.query(SAVE, [charge.id, charge.status, charge.sequence, charge.paidAt, charge.endToEndId]);
}

const CLAIM_DUE = `
  UPDATE charges SET next_check_at = $1::timestamptz + $2 * interval '1 millisecond'
  WHERE id IN (
    SELECT id FROM charges WHERE status = 'PENDING' AND next_check_at <= $1
    ORDER BY next_check_at LIMIT $3
    FOR UPDATE SKIP LOCKED)
  RETURNING *`;

/** Charges the clock must look at, taken for `leaseMs`: no other replica looks at them meanwhile. */
export async function claimDueCharges(
  db: Queryable,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<Charge[]> {
  return (await db.queryUnprepared<ChargeRow>(CLAIM_DUE, [now, leaseMs, limit])).map(chargeOf);
}

const CLAIM_SIMULATION = `
  UPDATE charges SET simulated_at = $2
  WHERE id = $1 AND status = 'PENDING'
    AND (simulated_at IS NULL OR simulated_at < $2::timestamptz - interval '40 seconds')
  RETURNING id`;

/**
 * True for one caller at a time, so that a charge is not paid twice by two simulations; a claim outlives the
 * longest simulation, and ends by itself when its holder died.
 */
export async function claimSimulation(db: Queryable, id: string, now: Date): Promise<boolean> {
  return (await db.query(CLAIM_SIMULATION, [id, now])).length === 1;
}

const RELEASE_SIMULATION = 'UPDATE charges SET simulated_at = NULL WHERE id = $1';

export async function releaseSimulation(db: Queryable, id: string): Promise<void> {
  await db.query(RELEASE_SIMULATION, [id]);
}

function one(rows: readonly ChargeRow[]): Charge | null {
  return rows[0] ? chargeOf(rows[0]) : null;
}

function demand(charge: Charge | null): Charge {
  if (!charge) throw new Error('a charge vanished');
  return charge;
}

export function chargeOf(row: ChargeRow): Charge {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    externalId: row.external_id,
    txid: row.txid,
    paymentMethod: row.payment_method,
    amount: row.amount_cents,
    feeAmount: row.fee_cents,
    netAmount: row.net_cents,
    status: row.status,
    sequence: row.sequence,
    payerName: row.payer_name,
    payerDocument: row.payer_document,
    payerEmail: row.payer_email,
    description: row.description,
    qrCode: row.qr_code,
    endToEndId: row.end_to_end_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    paidAt: row.paid_at,
  };
}

export type { ChargeRow };
