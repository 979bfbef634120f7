import type { Queryable, Transaction } from '@plataforma/chassis';
import type { Charge } from '../domain/charge.ts';
import type { Payment } from '../domain/payment.ts';

const FIND_IDS = `
  SELECT end_to_end_id FROM payments WHERE charge_id = $1
  UNION ALL SELECT end_to_end_id FROM unexpected_payments WHERE charge_id = $1`;

/** Which payments of a charge are recorded; complete while the charge is locked. */
export async function recordedPayments(tx: Transaction, chargeId: string): Promise<Set<string>> {
  const rows = await tx.query<{ end_to_end_id: string }>(FIND_IDS, [chargeId]);
  return new Set(rows.map((row) => row.end_to_end_id));
}

const FIND_KNOWN = `
  SELECT end_to_end_id FROM payments WHERE end_to_end_id = ANY($1)
  UNION ALL SELECT end_to_end_id FROM unexpected_payments WHERE end_to_end_id = ANY($1)`;

/** Which of these payments are recorded at all. */
export async function knownPayments(db: Queryable, endToEndIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ end_to_end_id: string }>(FIND_KNOWN, [endToEndIds]);
  return new Set(rows.map((row) => row.end_to_end_id));
}

const INSERT = `
  INSERT INTO payments (end_to_end_id, charge_id, merchant_id, environment, amount_cents, paid_at)
  VALUES ($1, $2, $3, $4, $5, $6)`;

/** Records the payment that paid the charge. */
export async function insertPayment(tx: Transaction, charge: Charge, payment: Payment): Promise<void> {
  const { endToEndId, amount, paidAt } = payment;
  await tx.query(INSERT, [endToEndId, charge.id, charge.merchantId, charge.environment, amount, paidAt]);
}
