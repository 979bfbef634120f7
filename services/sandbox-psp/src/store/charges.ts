import type { Queryable, Transaction } from '@plataforma/data';
import type { Charge, ChargeStatus } from '../domain/charge.ts';
import type { Payment } from '../domain/payment.ts';
import { REFUNDS_COLUMN, type RefundJson, refundsOf } from './refunds.ts';

interface ChargeRow {
  client_id: string;
  txid: string;
  status: ChargeStatus;
  revision: number;
  amount_cents: number;
  pix_key: string;
  debtor_document: string | null;
  debtor_name: string | null;
  payer_request: string | null;
  expires_in_seconds: number;
  created_at: Date;
  location_id: number;
  location_token: string;
}

/** Named, because a prepared `SELECT *` fails in a running replica once another one has added a column. */
const COLUMNS = `
  charges.client_id, charges.txid, charges.status, charges.revision, charges.amount_cents, charges.pix_key,
  charges.debtor_document, charges.debtor_name, charges.payer_request, charges.expires_in_seconds,
  charges.created_at, charges.location_id, charges.location_token`;

export type NewCharge = Omit<Charge, 'status' | 'revision' | 'locationId'>;

const INSERT = `
  INSERT INTO charges
    (client_id, txid, amount_cents, pix_key, debtor_document, debtor_name, payer_request, expires_in_seconds,
     created_at, location_token)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (txid, client_id) DO NOTHING
  RETURNING location_id`;

/** Undefined when the client has a charge with this txid already. */
export async function insertCharge(db: Queryable, charge: NewCharge): Promise<Charge | undefined> {
  const { clientId, txid, terms, createdAt, locationToken } = charge;
  const [row] = await db.query<{ location_id: number }>(INSERT, [
    clientId,
    txid,
    terms.amount,
    terms.pixKey,
    terms.debtor?.document ?? null,
    terms.debtor?.name ?? null,
    terms.payerRequest,
    terms.expiresInSeconds,
    createdAt,
    locationToken,
  ]);
  return row && { ...charge, status: 'ATIVA', revision: 0, locationId: row.location_id };
}

const LOCK = `SELECT ${COLUMNS} FROM charges WHERE txid = $1 AND client_id = $2 FOR NO KEY UPDATE`;

export async function lockCharge(
  tx: Transaction,
  clientId: string,
  txid: string,
): Promise<Charge | undefined> {
  const [row] = await tx.query<ChargeRow>(LOCK, [txid, clientId]);
  return row && chargeOf(row);
}

const LOCK_BY_TXID = `SELECT ${COLUMNS} FROM charges WHERE txid = $1 ORDER BY client_id FOR NO KEY UPDATE`;

/** Locks every receiver's charge with this txid: each receiver names its own charges. */
export async function lockChargesByTxid(tx: Transaction, txid: string): Promise<Charge[]> {
  const rows = await tx.query<ChargeRow>(LOCK_BY_TXID, [txid]);
  return rows.map(chargeOf);
}

const FIND_PAID = `
  SELECT ${COLUMNS},
    payments.end_to_end_id, payments.pix_key AS paid_key, payments.amount_cents AS paid_cents, payments.paid_at,
    ${REFUNDS_COLUMN}
  FROM charges LEFT JOIN payments
    ON payments.txid = charges.txid AND payments.client_id = charges.client_id AND payments.charge_txid IS NOT NULL
  WHERE charges.txid = $1 AND charges.client_id = $2
  ORDER BY payments.position`;

type PaidRow = ChargeRow &
  (
    | { end_to_end_id: null }
    | {
        end_to_end_id: string;
        paid_key: string;
        paid_cents: number;
        paid_at: Date;
        refunds: RefundJson[] | null;
      }
  );

/** A charge with all the money that came for it; one statement, so that the status fits the payments. */
export async function findChargeWithPayments(db: Queryable, clientId: string, txid: string) {
  const rows = await db.query<PaidRow>(FIND_PAID, [txid, clientId]);
  const [first] = rows;
  return first && { charge: chargeOf(first), payments: rows.flatMap(paymentOf) };
}

function paymentOf(row: PaidRow): Payment[] {
  if (row.end_to_end_id === null) return [];
  const { end_to_end_id: endToEndId, client_id: clientId, txid } = row;
  const { paid_key: pixKey, paid_cents: amount, paid_at: paidAt } = row;
  return [{ endToEndId, clientId, txid, pixKey, amount, paidAt, refunds: refundsOf(row.refunds) }];
}

const FIND_BY_LOCATION = `SELECT ${COLUMNS} FROM charges WHERE location_token = $1`;

export async function findChargeByLocation(
  db: Queryable,
  locationToken: string,
): Promise<Charge | undefined> {
  const [row] = await db.query<ChargeRow>(FIND_BY_LOCATION, [locationToken]);
  return row && chargeOf(row);
}

const SAVE = `
  UPDATE charges
  SET status = $3, revision = $4, amount_cents = $5, pix_key = $6, debtor_document = $7, debtor_name = $8,
    payer_request = $9, expires_in_seconds = $10
  WHERE txid = $1 AND client_id = $2`;

export async function saveCharge(tx: Transaction, { terms, ...charge }: Charge): Promise<void> {
  await tx.query(SAVE, [
    charge.txid,
    charge.clientId,
    charge.status,
    charge.revision,
    terms.amount,
    terms.pixKey,
    terms.debtor?.document ?? null,
    terms.debtor?.name ?? null,
    terms.payerRequest,
    terms.expiresInSeconds,
  ]);
}

const REFUSE_REFUNDS = 'UPDATE charges SET refuses_refunds = true WHERE txid = $1 AND client_id = $2';

export async function saveRefusalOfRefunds(tx: Transaction, { txid, clientId }: Charge): Promise<void> {
  await tx.query(REFUSE_REFUNDS, [txid, clientId]);
}

const REFUSES = `
  SELECT true FROM charges JOIN payments
    ON charges.txid = payments.charge_txid AND charges.client_id = payments.client_id
  WHERE payments.end_to_end_id = $1 AND charges.refuses_refunds`;

/** Whether the charge the payment came for, if there is one, refuses refunds. */
export async function refusesRefunds(db: Queryable, { endToEndId }: Payment): Promise<boolean> {
  const rows = await db.query(REFUSES, [endToEndId]);
  return rows.length > 0;
}

const LIST = `SELECT ${COLUMNS} FROM charges ORDER BY created_at, location_id`;

export async function listAllCharges(db: Queryable): Promise<Charge[]> {
  const rows = await db.query<ChargeRow>(LIST);
  return rows.map(chargeOf);
}

function chargeOf(row: ChargeRow): Charge {
  const { debtor_document: document, debtor_name: name } = row;
  return {
    clientId: row.client_id,
    txid: row.txid,
    terms: {
      amount: row.amount_cents,
      pixKey: row.pix_key,
      debtor: document !== null && name !== null ? { document, name } : null,
      payerRequest: row.payer_request,
      expiresInSeconds: row.expires_in_seconds,
    },
    status: row.status,
    revision: row.revision,
    createdAt: row.created_at,
    locationId: row.location_id,
    locationToken: row.location_token,
  };
}
