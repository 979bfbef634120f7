import type { Queryable } from '@plataforma/data';
import type { Environment } from '@plataforma/kernel';
import type { Charge } from '../domain/charge.ts';
import { CHARGE_COLUMNS, type ChargeRow, firstCharge } from './charge-rows.ts';

const COLUMNS = CHARGE_COLUMNS.join(', ');

const FIND_BY_TXID = `SELECT ${COLUMNS} FROM charges WHERE txid = $1 AND payment_method = 'PIX'`;

export async function findChargeByTxid(db: Queryable, txid: string): Promise<Charge | null> {
  return firstCharge(await db.query<ChargeRow>(FIND_BY_TXID, [txid]));
}

const FIND_BY_END_TO_END = `
  SELECT ${COLUMNS} FROM charges
  WHERE id = (SELECT charge_id FROM payments WHERE end_to_end_id = $1) AND environment = $2`;

/** The charge that a Pix paid. */
export async function findChargeByEndToEnd(
  db: Queryable,
  environment: Environment,
  endToEndId: string,
): Promise<Charge | null> {
  return firstCharge(await db.query<ChargeRow>(FIND_BY_END_TO_END, [endToEndId, environment]));
}

const FIND_BY_ACQUIRER_ID = `SELECT ${COLUMNS} FROM charges WHERE acquirer_id = $1`;

export async function findChargeByAcquirerId(db: Queryable, acquirerId: string): Promise<Charge | null> {
  return firstCharge(await db.query<ChargeRow>(FIND_BY_ACQUIRER_ID, [acquirerId]));
}

const IDS_BY_TXID = `SELECT txid, id FROM charges WHERE payment_method = 'PIX' AND txid = ANY($1)`;

/** The ids of the Pix charges these txids name, by txid; in whatever environment, should one account serve both. */
export async function findChargeIds(db: Queryable, txids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ txid: string; id: string }>(IDS_BY_TXID, [txids]);
  return new Map(rows.map(({ txid, id }) => [txid, id]));
}
