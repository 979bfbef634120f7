import type { Transaction } from '@plataforma/chassis';
import type { Charge } from '../domain/charge.ts';
import type { Payment } from '../domain/payment.ts';

const FIND_IDS = 'SELECT end_to_end_id FROM payments WHERE charge_id = $1';

/** Which payments of a charge are recorded; complete while the charge is locked. */
export async function recordedPayments(tx: Transaction, chargeId: string): Promise<Set<string>> {
  const rows = await tx.query<{ end_to_end_id: string }>(FIND_IDS, [chargeId]);
  return new Set(rows.map((row) => row.end_to_end_id));
}

const INSERT = `
  INSERT INTO payments
    (end_to_end_id, charge_id, merchant_id, environment, amount_cents, paid_at, is_expected)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

export async function insertPayment(
  tx: Transaction,
  charge: Charge,
  { payment, isExpected }: { payment: Payment; isExpected: boolean },
): Promise<void> {
  const { endToEndId, amount, paidAt } = payment;
  const values = [endToEndId, charge.id, charge.merchantId, charge.environment, amount, paidAt, isExpected];
  await tx.query(INSERT, values);
}
