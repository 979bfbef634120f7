import type { Queryable, Transaction } from '@plataforma/data';
import type { Environment, Tenant } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { CHARGE_COLUMNS, type ChargeRow, chargeOf } from './charge-rows.ts';

const COLUMNS = CHARGE_COLUMNS.join(', ');
/** A merchant does not see attempts with a card that are undecided or came to nothing. */
const VISIBLE = `(payment_method = 'PIX' OR status NOT IN ('PENDING', 'DECLINED'))`;

const FIND = `
  SELECT ${COLUMNS} FROM charges WHERE id = $1 AND merchant_id = $2 AND environment = $3 AND ${VISIBLE}`;

export async function findCharge(db: Queryable, tenant: Tenant, id: string): Promise<Charge | null> {
  return one(await db.query<ChargeRow>(FIND, [id, tenant.merchantId, tenant.environment]));
}

const FIND_BY_EXTERNAL_ID = `
  SELECT ${COLUMNS} FROM charges
  WHERE merchant_id = $1 AND environment = $2 AND external_id = $3
    AND status NOT IN ('DECLINED', 'EXPIRED', 'CANCELLED')`;

/** The charge that has this externalId; those that ended unpaid have left it free. */
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
    card_brand = $8, card_last_digits = $9, decline_reason = $10, is_voiding = $11, is_watched = $12,
    refunded_cents = $13, refunded_at = $14, refund_reason = $15, next_check_at = $16, checks = $17, lease_token = $18,
    lease_until = $19
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
    card?.isWatched ?? false,
    refund?.amount ?? null,
    refund?.at ?? null,
    refund?.reason ?? null,
    charge.dueAt,
    charge.checks,
    charge.leaseToken,
    charge.leaseUntil,
  ]);
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
