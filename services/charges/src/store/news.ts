import type { Queryable } from '@plataforma/data';
import { dueRefunds } from './refunds.ts';
import { dueReturns } from './unexpected-payments.ts';

/** The provider has news of these payments: their refunds and returns are due, as soon as the claims on them have ended. */
export async function hastenReturnsOf(db: Queryable, endToEndIds: readonly string[]): Promise<void> {
  const ofCharge = 'charge_id IN (SELECT charge_id FROM payments WHERE end_to_end_id = ANY($1))';
  await dueRefunds.hasten(db, ofCharge, [endToEndIds]);
  await dueReturns.hasten(db, 'end_to_end_id = ANY($1)', [endToEndIds]);
}

export async function hastenCardRefund(db: Queryable, chargeId: string): Promise<void> {
  await dueRefunds.hasten(db, 'charge_id = $1', [chargeId]);
}
