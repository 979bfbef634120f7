import type { Queryable, Transaction } from '@plataforma/data';
import type { Charge } from '../domain/charge.ts';
import type { Payment } from '../domain/payment.ts';
import { paymentOf, payments, type StoredPayment } from './payments.ts';
import { readObjects, tableOf } from './table.ts';

const charges = tableOf<Omit<Charge, 'locationId'>, Charge>('charges', {
  key: 'txid, client_id',
  columns: `
    status, revision, amount_cents AS request.amount, pix_key AS request.pixKey,
    debtor_document AS request.debtor.document, debtor_name AS request.debtor.name,
    payer_request AS request.payerRequest, expires_in_seconds AS request.expiresInSeconds, created_at,
    location_token`,
  computed: { locationId: 'charges.location_id' },
});

export type NewCharge = Omit<Charge, 'status' | 'revision' | 'locationId'>;

/** Inserts a charge. Returns undefined if the client already has a charge with this txid. */
export async function insertCharge(db: Queryable, draft: NewCharge): Promise<Charge | undefined> {
  const charge = { ...draft, status: 'ATIVA', revision: 0 } as const;
  const tail = 'ON CONFLICT (txid, client_id) DO NOTHING RETURNING location_id';
  const [row] = await charges.insert(db, charge, tail);
  return row && { ...charge, locationId: row.location_id };
}

export const saveCharge = charges.save;

const LOCK = 'WHERE txid = $1 AND client_id = $2 FOR NO KEY UPDATE';

export function lockCharge(tx: Transaction, clientId: string, txid: string): Promise<Charge | undefined> {
  return charges.find(tx, LOCK, [txid, clientId]);
}

/**
 * Locks and returns the charges with this txid. Several receivers may have such a charge, because each
 * receiver chooses its own txids.
 */
export function lockChargesByTxid(tx: Transaction, txid: string): Promise<Charge[]> {
  return charges.list(tx, 'WHERE txid = $1 ORDER BY client_id FOR NO KEY UPDATE', [txid]);
}

const FIND_PAID = `
  SELECT ${charges.selected()}, ${payments.selected('payment.')}
  FROM charges LEFT JOIN payments
    ON payments.txid = charges.txid AND payments.client_id = charges.client_id
    AND payments.charge_txid IS NOT NULL
  WHERE charges.txid = $1 AND charges.client_id = $2
  ORDER BY payments.position`;

/**
 * Finds a charge and its payments in one SQL statement, so that the status of the charge agrees with its
 * payments.
 */
export async function findChargeWithPayments(db: Queryable, clientId: string, txid: string) {
  type PaidRow = Charge & { payment: StoredPayment | null };
  const rows = await readObjects<PaidRow>(db, FIND_PAID, [txid, clientId]);
  const [charge] = rows;
  return charge && { charge, payments: rows.flatMap(({ payment }) => (payment ? paymentOf(payment) : [])) };
}

export function findChargeByLocation(db: Queryable, locationToken: string): Promise<Charge | undefined> {
  return charges.find(db, 'WHERE location_token = $1', [locationToken]);
}

const REFUSE_REFUNDS = 'UPDATE charges SET refuses_refunds = true WHERE txid = $1 AND client_id = $2';

export async function saveRefusalOfRefunds(tx: Transaction, { txid, clientId }: Charge): Promise<void> {
  await tx.query(REFUSE_REFUNDS, [txid, clientId]);
}

const REFUSES = `
  SELECT true FROM charges JOIN payments
    ON charges.txid = payments.charge_txid AND charges.client_id = payments.client_id
  WHERE payments.end_to_end_id = $1 AND charges.refuses_refunds`;

export async function refusesRefunds(db: Queryable, { endToEndId }: Payment): Promise<boolean> {
  return (await db.query(REFUSES, [endToEndId])).length > 0;
}

export function listAllCharges(db: Queryable): Promise<Charge[]> {
  return charges.list(db, 'ORDER BY created_at, location_id');
}
