import type { Database, Queryable, Transaction } from '@plataforma/data';
import type { CardCharge } from '../domain/card-charge.ts';
import { type Page, tableOf } from './table.ts';

const cardCharges = tableOf<CardCharge>('card_charges', {
  key: 'charge_id AS id',
  columns: `
    order_id, client_id, code, idempotency_key, amount_cents AS amount, installments, card_id AS card.id,
    brand AS card.brand, first_six AS card.firstSix, last_four AS card.lastFour, outcome AS card.outcome,
    transaction_id AS transaction.id, acquirer_tid AS transaction.tid, acquirer_nsu AS transaction.nsu,
    auth_code AS transaction.authCode, status, canceled_cents AS canceledAmount, refuses_refunds, created_at,
    paid_at, canceled_at, chargeback_cents AS chargeback.amount, chargeback_reason AS chargeback.reason,
    charged_back_at AS chargeback.createdAt`,
});

/**
 * Inserts a charge. A charge in status processing ends after `delayMs`. Throws if the client has used the
 * idempotency key before.
 */
export async function appendCardCharge(tx: Transaction, charge: CardCharge, delayMs: number): Promise<void> {
  await cardCharges.insert(tx, charge, '', delayMs);
}

export const saveCardCharge = cardCharges.save;

export function findCardChargeByKey(db: Queryable, clientId: string, idempotencyKey: string) {
  return cardCharges.find(db, 'WHERE client_id = $1 AND idempotency_key = $2', [clientId, idempotencyKey]);
}

const FIND = 'WHERE client_id = $1 AND charge_id = $2';

export function findCardCharge(db: Queryable, clientId: string, chargeId: string) {
  return cardCharges.find(db, FIND, [clientId, chargeId]);
}

export function findCardChargeByOrder(db: Queryable, clientId: string, orderId: string) {
  return cardCharges.find(db, 'WHERE client_id = $1 AND order_id = $2', [clientId, orderId]);
}

export function lockCardCharge(tx: Transaction, clientId: string, chargeId: string) {
  return cardCharges.find(tx, `${FIND} FOR NO KEY UPDATE`, [clientId, chargeId]);
}

export function lockDueCardCharge(tx: Transaction) {
  return cardCharges.lockDue(tx, "status = 'processing'");
}

export function listCardChargesByCode(db: Queryable, clientId: string, code: string) {
  return cardCharges.list(db, 'WHERE client_id = $1 AND code = $2 ORDER BY position', [clientId, code]);
}

/** Locks and returns the charges with this order code, which may belong to several receivers. */
export function lockCardChargesByCode(tx: Transaction, code: string) {
  return cardCharges.list(tx, 'WHERE code = $1 ORDER BY position FOR NO KEY UPDATE', [code]);
}

const OF_PERIOD = `client_id = $1
  AND created_at BETWEEN coalesce($2::timestamptz, '-infinity') AND coalesce($3::timestamptz, 'infinity')`;

interface CardChargePeriod {
  clientId: string;
  /**
   * The start of the period; undefined for no limit. Charges at exactly `since` or `until` belong to the
   * period.
   */
  since: Date | undefined;
  until: Date | undefined;
}

export function listCardCharges(
  database: Database,
  { clientId, since, until }: CardChargePeriod,
  page: Page,
) {
  return cardCharges.listPage(database, 'created_at', [OF_PERIOD, [clientId, since, until]], page);
}

export function listAllCardCharges(db: Queryable) {
  return cardCharges.list(db, 'ORDER BY position');
}
