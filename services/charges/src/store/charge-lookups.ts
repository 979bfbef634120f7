import type { Queryable } from '@plataforma/data';
import type { Environment } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { findCharge } from './charge-rows.ts';

export function findChargeByTxid(db: Queryable, txid: string): Promise<Charge | null> {
  return findCharge(db, "txid = $1 AND payment_method = 'PIX'", [txid]);
}

const PAID_BY = 'id = (SELECT charge_id FROM payments WHERE end_to_end_id = $1) AND environment = $2';

export function findChargeByEndToEnd(
  db: Queryable,
  environment: Environment,
  endToEndId: string,
): Promise<Charge | null> {
  return findCharge(db, PAID_BY, [endToEndId, environment]);
}

export function findChargeByAcquirerId(db: Queryable, acquirerId: string): Promise<Charge | null> {
  return findCharge(db, 'acquirer_id = $1', [acquirerId]);
}

const IDS_BY_TXID = `SELECT txid, id FROM charges WHERE payment_method = 'PIX' AND txid = ANY($1)`;

/**
 * Finds the ids of the Pix charges with these txids. Searches both environments, because one account at a
 * provider may serve both.
 */
export async function findChargeIds(db: Queryable, txids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ txid: string; id: string }>(IDS_BY_TXID, [txids]);
  return new Map(rows.map(({ txid, id }) => [txid, id]));
}
