import type { Queryable, Transaction } from '@plataforma/data';
import type { CardCharge, CardChargeStatus, Chargeback } from '../domain/card-charge.ts';
import { type CardRow, cardOf } from './card-tokens.ts';

interface CardChargeRow extends CardRow {
  charge_id: string;
  order_id: string;
  client_id: string;
  code: string;
  amount_cents: number;
  installments: number;
  transaction_id: string;
  acquirer_tid: string;
  acquirer_nsu: string;
  auth_code: string;
  status: CardChargeStatus;
  canceled_cents: number;
  refuses_refunds: boolean;
  created_at: Date;
  paid_at: Date | null;
  canceled_at: Date | null;
  chargeback_cents: number | null;
  chargeback_reason: string | null;
  charged_back_at: Date | null;
}

const COLUMNS = `
  charge_id, order_id, client_id, code, amount_cents, installments, card_id, brand, first_six, last_four, outcome,
  transaction_id, acquirer_tid, acquirer_nsu, auth_code, status, canceled_cents, refuses_refunds, created_at,
  paid_at, canceled_at, chargeback_cents, chargeback_reason, charged_back_at`;

const APPEND = `
  INSERT INTO card_charges
    (charge_id, order_id, client_id, code, amount_cents, installments, card_id, brand, first_six, last_four,
     outcome, transaction_id, acquirer_tid, acquirer_nsu, auth_code, status, created_at, paid_at,
     idempotency_key, due_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
    now() + $20 * interval '1 millisecond')`;

/** Fails when the client has used the key before. A processing charge is due to end after `delayMs`. */
export async function appendCardCharge(
  tx: Transaction,
  { card, transaction, ...charge }: CardCharge,
  { idempotencyKey, delayMs }: { idempotencyKey: string | null; delayMs: number },
): Promise<void> {
  await tx.query(APPEND, [
    charge.id,
    charge.orderId,
    charge.clientId,
    charge.code,
    charge.amount,
    charge.installments,
    card.id,
    card.brand,
    card.firstSix,
    card.lastFour,
    card.outcome,
    transaction.id,
    transaction.tid,
    transaction.nsu,
    transaction.authCode,
    charge.status,
    charge.createdAt,
    charge.paidAt,
    idempotencyKey,
    delayMs,
  ]);
}

const SAVE = `
  UPDATE card_charges
  SET status = $2, canceled_cents = $3, refuses_refunds = $4, paid_at = $5, canceled_at = $6,
    chargeback_cents = $7, chargeback_reason = $8, charged_back_at = $9
  WHERE charge_id = $1`;

export async function saveCardCharge(tx: Transaction, charge: CardCharge): Promise<void> {
  await tx.query(SAVE, [
    charge.id,
    charge.status,
    charge.canceledAmount,
    charge.refusesRefunds,
    charge.paidAt,
    charge.canceledAt,
    charge.chargeback?.amount ?? null,
    charge.chargeback?.reason ?? null,
    charge.chargeback?.createdAt ?? null,
  ]);
}

const FIND_BY_KEY = `SELECT ${COLUMNS} FROM card_charges WHERE client_id = $1 AND idempotency_key = $2`;
const FIND = `SELECT ${COLUMNS} FROM card_charges WHERE client_id = $1 AND charge_id = $2`;
const FIND_BY_ORDER = `SELECT ${COLUMNS} FROM card_charges WHERE client_id = $1 AND order_id = $2`;

export function findCardChargeByKey(db: Queryable, clientId: string, idempotencyKey: string) {
  return one(db, FIND_BY_KEY, [clientId, idempotencyKey]);
}

export function findCardCharge(db: Queryable, clientId: string, chargeId: string) {
  return one(db, FIND, [clientId, chargeId]);
}

export function findCardChargeByOrder(db: Queryable, clientId: string, orderId: string) {
  return one(db, FIND_BY_ORDER, [clientId, orderId]);
}

const LOCK = `${FIND} FOR NO KEY UPDATE`;
const LOCK_DUE = `
  SELECT ${COLUMNS} FROM card_charges
  WHERE status = 'processing' AND due_at <= now()
  ORDER BY due_at
  LIMIT 1
  FOR NO KEY UPDATE SKIP LOCKED`;

export function lockCardCharge(tx: Transaction, clientId: string, chargeId: string) {
  return one(tx, LOCK, [clientId, chargeId]);
}

/** Locks a charge that is due to end and that nobody else is ending. */
export function lockDueCardCharge(tx: Transaction) {
  return one(tx, LOCK_DUE, []);
}

const LIST_BY_CODE = `
  SELECT ${COLUMNS} FROM card_charges WHERE client_id = $1 AND code = $2
  ORDER BY position`;
const LOCK_BY_CODE = `SELECT ${COLUMNS} FROM card_charges WHERE code = $1 ORDER BY position FOR NO KEY UPDATE`;
const LIST = `SELECT ${COLUMNS} FROM card_charges ORDER BY position`;

export function listCardChargesByCode(db: Queryable, clientId: string, code: string) {
  return many(db, LIST_BY_CODE, [clientId, code]);
}

const OF_PERIOD = `
  FROM card_charges
  WHERE client_id = $1 AND created_at BETWEEN coalesce($2::timestamptz, '-infinity') AND coalesce($3::timestamptz, 'infinity')`;
const COUNT = `SELECT count(*) AS total ${OF_PERIOD}`;
const LIST_PAGE = `SELECT ${COLUMNS} ${OF_PERIOD} ORDER BY created_at, position LIMIT $4 OFFSET $5`;

interface CardChargePage {
  clientId: string;
  /** Both ends belong to the period; undefined leaves it open. */
  since: Date | undefined;
  until: Date | undefined;
  /** Counts from 1. */
  page: number;
  size: number;
}

/** The charges of a period on one page, oldest first, and how many there are in all. */
export async function listCardCharges(db: Queryable, { clientId, since, until, page, size }: CardChargePage) {
  const period = [clientId, since ?? null, until ?? null];
  const [counted] = await db.query<{ total: number }>(COUNT, period);
  const charges = await many(db, LIST_PAGE, [...period, size, (page - 1) * size]);
  return { charges, total: counted?.total ?? 0 };
}

/** Locks every receiver's charges with this code. */
export function lockCardChargesByCode(tx: Transaction, code: string) {
  return many(tx, LOCK_BY_CODE, [code]);
}

export function listAllCardCharges(db: Queryable) {
  return many(db, LIST, []);
}

async function one(db: Queryable, statement: string, values: unknown[]): Promise<CardCharge | undefined> {
  const [charge] = await many(db, statement, values);
  return charge;
}

async function many(db: Queryable, statement: string, values: unknown[]): Promise<CardCharge[]> {
  const rows = await db.query<CardChargeRow>(statement, values);
  return rows.map(chargeOf);
}

function chargeOf(row: CardChargeRow): CardCharge {
  return {
    id: row.charge_id,
    orderId: row.order_id,
    clientId: row.client_id,
    code: row.code,
    amount: row.amount_cents,
    installments: row.installments,
    card: cardOf(row),
    transaction: {
      id: row.transaction_id,
      tid: row.acquirer_tid,
      nsu: row.acquirer_nsu,
      authCode: row.auth_code,
    },
    status: row.status,
    canceledAmount: row.canceled_cents,
    refusesRefunds: row.refuses_refunds,
    createdAt: row.created_at,
    paidAt: row.paid_at,
    canceledAt: row.canceled_at,
    chargeback: chargebackOf(row),
  };
}

function chargebackOf(row: CardChargeRow): Chargeback | null {
  const { chargeback_cents: amount, chargeback_reason: reason, charged_back_at: createdAt } = row;
  return amount !== null && reason !== null && createdAt !== null ? { amount, reason, createdAt } : null;
}
