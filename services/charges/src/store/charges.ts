import type { Queryable, Transaction } from '@plataforma/chassis';
import type { Environment, Tenant } from '@plataforma/kernel';
import { createQueue } from '@plataforma/work';
import type { Charge } from '../domain/charge.ts';
import { CHARGE_COLUMNS, type ChargeRow, chargeOf } from './charge-rows.ts';

const COLUMNS = CHARGE_COLUMNS.join(', ');
/** A merchant does not see attempts with a card that are undecided or came to nothing. */
const VISIBLE = `(payment_method = 'PIX' OR status NOT IN ('PENDING', 'DECLINED'))`;

const INSERT = `
  INSERT INTO charges
    (id, merchant_id, environment, external_id, txid, payment_method, amount_cents, fee_cents, net_cents,
     status, payer_name, payer_document, payer_email, description, created_at, expires_at, installments, next_check_at,
     card_token_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
  ON CONFLICT DO NOTHING
  RETURNING id`;

interface WrittenWith {
  /** When the clock looks what became of it; until then it is its caller's. */
  nextCheckAt: Date;
  /** Of a card charge. */
  tokenHash?: Buffer | undefined;
}

/** False: this externalId has its charge already, or had an attempt with this token. */
export async function insertCharge(
  db: Queryable,
  charge: Charge,
  { nextCheckAt, tokenHash }: WrittenWith,
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
    nextCheckAt,
    tokenHash ?? null,
  ]);
  return rows.length === 1;
}

const SET_QR_CODE = `
  UPDATE charges
  SET qr_code = CASE WHEN status = 'PENDING' THEN coalesce(qr_code, $2) ELSE qr_code END,
      next_check_at = least(expires_at, $3)
  WHERE id = $1
  RETURNING ${COLUMNS}`;

/**
 * Records the provider's confirmation, and when to look at the charge next. A charge that came to its end meanwhile
 * gets no code. Answers the charge as it is now.
 */
export async function setQrCode(
  db: Queryable,
  id: string,
  { qrCode, nextCheckAt }: { qrCode: string; nextCheckAt: Date },
): Promise<Charge> {
  return demand(one(await db.query<ChargeRow>(SET_QR_CODE, [id, qrCode, nextCheckAt])));
}

const FIND = `
  SELECT ${COLUMNS} FROM charges WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND ${VISIBLE}`;

export async function findCharge(db: Queryable, tenant: Tenant, id: string): Promise<Charge | null> {
  return one(await db.query<ChargeRow>(FIND, [id, tenant.merchantId, tenant.environment]));
}

const FIND_BY_EXTERNAL_ID = `
  SELECT ${COLUMNS} FROM charges
  WHERE merchant_id = $1 AND environment = $2 AND external_id = $3 AND status <> 'DECLINED'`;

export async function findChargeByExternalId(
  db: Queryable,
  tenant: Tenant,
  id: string,
): Promise<Charge | null> {
  return one(await db.query<ChargeRow>(FIND_BY_EXTERNAL_ID, [tenant.merchantId, tenant.environment, id]));
}

const FIND_PUBLIC = `SELECT ${COLUMNS} FROM charges WHERE id = $1 AND ${VISIBLE}`;

/** For the checkout page, whose link is its own permission. */
export async function findPublicCharge(db: Queryable, id: string): Promise<Charge | null> {
  return one(await db.query<ChargeRow>(FIND_PUBLIC, [id]));
}

const FIND_ANY = `SELECT ${COLUMNS} FROM charges WHERE id = $1`;

export async function findAnyCharge(db: Queryable, id: string): Promise<Charge | null> {
  return one(await db.query<ChargeRow>(FIND_ANY, [id]));
}

const FIND_BY_TXID = `SELECT ${COLUMNS} FROM charges WHERE txid = $1 AND payment_method = 'PIX'`;

export async function findChargeByTxid(db: Queryable, txid: string): Promise<Charge | null> {
  return one(await db.query<ChargeRow>(FIND_BY_TXID, [txid]));
}

const FIND_BY_END_TO_END = `SELECT ${COLUMNS} FROM charges WHERE end_to_end_id = $1 AND environment = $2`;

/** The charge that a Pix paid. */
export async function findChargeByEndToEnd(
  db: Queryable,
  environment: Environment,
  endToEndId: string,
): Promise<Charge | null> {
  return one(await db.query<ChargeRow>(FIND_BY_END_TO_END, [endToEndId, environment]));
}

const FIND_BY_ACQUIRER_ID = `SELECT ${COLUMNS} FROM charges WHERE acquirer_id = $1`;

export async function findChargeByAcquirerId(db: Queryable, acquirerId: string): Promise<Charge | null> {
  return one(await db.query<ChargeRow>(FIND_BY_ACQUIRER_ID, [acquirerId]));
}

const LOCK = `SELECT ${COLUMNS} FROM charges WHERE id = $1 FOR UPDATE`;

export async function lockCharge(tx: Transaction, id: string): Promise<Charge> {
  return demand(one(await tx.query<ChargeRow>(LOCK, [id])));
}

const SAVE = `
  UPDATE charges
  SET status = $2, sequence = $3, paid_at = $4, end_to_end_id = $5, settles_at = $6, acquirer_id = $7,
    card_brand = $8, card_last_digits = $9, decline_reason = $10, is_voiding = $11, refunded_cents = $12,
    refunded_at = $13, refund_reason = $14
  WHERE id = $1`;

/** Saves what changes in a charge's life. */
export async function saveCharge(tx: Transaction, charge: Charge): Promise<void> {
  const { card, refund } = charge;
  await tx.query(SAVE, [
    charge.id,
    charge.status,
    charge.sequence,
    charge.paidAt,
    charge.endToEndId,
    charge.settlesAt,
    card?.acquirerId ?? null,
    card?.brand ?? null,
    card?.lastDigits ?? null,
    card?.declineReason ?? null,
    card?.isVoiding ?? false,
    refund?.amount ?? null,
    refund?.at ?? null,
    refund?.reason ?? null,
  ]);
}

const waiting = { table: 'charges', columns: CHARGE_COLUMNS, due: 'next_check_at', attempts: 'checks' };

/** Charges that wait for their payment. */
export const dueCharges = createQueue<ChargeRow>({ ...waiting, open: "status = 'PENDING'" });

/** Card attempts that have ended, and whose payments may still turn up. */
export const watchedAttempts = createQueue<ChargeRow>({ ...waiting, open: 'is_watched' });

const WATCH = `
  UPDATE charges SET is_watched = $2::timestamptz IS NOT NULL, next_check_at = coalesce($2, next_check_at)
  WHERE id = $1 AND status = 'DECLINED'`;

/** When an ended attempt is looked at; null: never again. */
export async function watchAttempt(db: Queryable, id: string, nextLook: Date | null): Promise<void> {
  await db.query(WATCH, [id, nextLook]);
}

const CLAIM_ONE = `
  UPDATE charges SET next_check_at = $2::timestamptz + $3 * interval '1 millisecond'
  WHERE id = $1 AND status = 'PENDING' AND next_check_at <= $2 RETURNING id`;

/** True for the one who may now ask what became of the charge: nobody else does for `leaseMs`. */
export async function claimCharge(
  db: Queryable,
  id: string,
  { now, leaseMs }: { now: Date; leaseMs: number },
): Promise<boolean> {
  return (await db.query(CLAIM_ONE, [id, now, leaseMs])).length === 1;
}

const LOOK_AGAIN = `UPDATE charges SET next_check_at = $2 WHERE id = $1 AND status = 'PENDING'`;

/** Ends a claim: the clock looks at the charge again at `at`. */
export async function lookAgainAt(db: Queryable, id: string, at: Date): Promise<void> {
  await db.query(LOOK_AGAIN, [id, at]);
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

const IDS_BY_TXID = `SELECT txid, id FROM charges WHERE payment_method = 'PIX' AND txid = ANY($1)`;

/** The ids of the Pix charges these txids name, by txid; in whatever environment, should one account serve both. */
export async function findChargeIds(db: Queryable, txids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ txid: string; id: string }>(IDS_BY_TXID, [txids]);
  return new Map(rows.map(({ txid, id }) => [txid, id]));
}

function one(rows: readonly ChargeRow[]): Charge | null {
  return rows[0] ? chargeOf(rows[0]) : null;
}

function demand(charge: Charge | null): Charge {
  if (!charge) throw new Error('a charge vanished');
  return charge;
}
