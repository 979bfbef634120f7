import {
  columnsOf,
  type Database,
  jsonRecords,
  namesOf,
  type SealedTable,
  type Transaction,
} from '@plataforma/data';
import { requireTrusted, type SealedRows, sealOf } from '@plataforma/tables';
import type { Receivable } from '../domain/receivable.ts';

export type ReceivableRow = Omit<Receivable, 'settlesAt'> & { settlesAt: Date; [column: string]: unknown };

export const COLUMNS = columnsOf(`
  charge_id, merchant_id, environment, payment_method AS method, amount_cents AS amount,
  remaining_cents AS remaining,
  settles_at, due_reference`);
const NAMES = namesOf(COLUMNS).join(', ');

/** The lease, with which the scheduler plans its work, has no seal. */
const sealedReceivables: SealedTable = {
  name: 'receivables',
  fields: ['merchantId', 'environment', 'method', 'amount', 'remaining', 'settlesAt', 'dueReference'],
};
/** Ids and times have the form in which PostgreSQL returns them. */
const sealable = ({ chargeId, merchantId, dueReference, settlesAt, ...money }: Receivable) => ({
  ...money,
  id: chargeId.toLowerCase(),
  merchantId: merchantId.toLowerCase(),
  dueReference: dueReference.toLowerCase(),
  settlesAt: new Date(settlesAt),
});
/** The receivables, for a command that seals existing rows. */
export const receivablesToSeal: SealedRows = {
  table: sealedReceivables,
  ...{ key: 'charge_id', keyType: 'uuid', columns: COLUMNS },
  rowOf: (row: ReceivableRow) => sealable(receivableOf(row)),
};

const FIND = `SELECT ${COLUMNS}, seal FROM receivables WHERE charge_id = ANY ($1::uuid[])`;

/**
 * Finds the receivables of charges. Takes no locks, because the caller holds the row locks of the wallets,
 * which also protect the receivables. Throws INVALID_STATE if one of them has no valid seal.
 */
export async function findReceivables(tx: Transaction, chargeIds: readonly string[]): Promise<Receivable[]> {
  if (chargeIds.length === 0) return [];
  const rows = await tx.query<ReceivableRow & { seal: string | null }>(FIND, [chargeIds]);
  return rows.map(({ seal, ...row }) => {
    const receivable = receivableOf(row);
    requireTrusted(tx, sealedReceivables, { ...sealable(receivable), seal });
    return receivable;
  });
}

/**
 * SQL that saves receivables and ends their leases. Otherwise money that comes back to a due receivable, such
 * as that of a refused refund, would be settled only after the lease.
 */
const SAVE = `
  INSERT INTO receivables (${NAMES}, seal)
  SELECT * FROM jsonb_to_recordset($1) AS saved ("chargeId" uuid, "merchantId" uuid, environment text,
  method text,
    amount bigint, remaining bigint, "settlesAt" timestamptz, "dueReference" uuid, seal text)
  ON CONFLICT (charge_id) DO UPDATE SET remaining_cents = excluded.remaining_cents,
    due_reference = excluded.due_reference, seal = excluded.seal, claimed_until = NULL`;

/** Saves receivables. The caller must hold the row locks of their wallets. */
export async function saveReceivables(tx: Transaction, receivables: readonly Receivable[]): Promise<void> {
  if (receivables.length === 0) return;
  const sealed = receivables.map((each) => ({
    ...each,
    seal: sealOf(tx, sealedReceivables, sealable(each)),
  }));
  await tx.query(SAVE, [jsonRecords(sealed)]);
}

const CLAIM_DUE = `
  UPDATE receivables SET claimed_until = $1::timestamptz + make_interval(secs => $2::double precision / 1000)
  WHERE charge_id = ANY (ARRAY (
    SELECT charge_id FROM receivables
    WHERE remaining_cents > 0 AND settles_at <= $1 AND (claimed_until IS NULL OR claimed_until <= $1)
    ORDER BY settles_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED))
  RETURNING ${COLUMNS}`;

/**
 * Takes leases of `leaseMs` on due receivables. A lease only prevents duplicate work: the settlement reads
 * the remaining amount under the wallet's row lock.
 */
export async function claimDueReceivables(
  database: Database,
  { now, leaseMs, limit }: { now: Date; leaseMs: number; limit: number },
): Promise<Receivable[]> {
  return (await database.queryUnprepared<ReceivableRow>(CLAIM_DUE, [now, leaseMs, limit])).map(receivableOf);
}

export function receivableOf(row: ReceivableRow): Receivable {
  return { ...row, settlesAt: row.settlesAt.toISOString() };
}
