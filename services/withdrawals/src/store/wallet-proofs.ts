import type { Database, Queryable, Transaction } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { z } from 'zod';
import { beginning, type Position } from '../domain/proof.ts';

const position = z.object({
  sequence: z.int(),
  hash: z.string().nullable(),
  balances: z.record(z.string(), z.int()),
});

const FIND = `
  SELECT sequence, hash, balances FROM wallet_proofs WHERE merchant_id = $1 AND environment = $2`;

/** Finds the last entry of a merchant's wallet that was verified. */
export async function findPosition(db: Queryable, { merchantId, environment }: Tenant): Promise<Position> {
  const [row] = await db.query(FIND, [merchantId, environment]);
  return row ? position.parse(row) : beginning;
}

const SAVE = `
  INSERT INTO wallet_proofs AS known (merchant_id, environment, sequence, hash, balances)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (merchant_id, environment) DO UPDATE
    SET sequence = excluded.sequence, hash = excluded.hash, balances = excluded.balances, compared_at = now()
    WHERE known.sequence = $6 AND known.hash IS NOT DISTINCT FROM $7`;

/**
 * Saves the last verified entry. Does nothing if a different replica has changed it since `from` was read.
 */
export async function savePosition(
  database: Database,
  { merchantId, environment }: Tenant,
  { from, to }: { from: Position; to: Position },
): Promise<void> {
  const owner = [merchantId, environment];
  const next = [to.sequence, to.hash, JSON.stringify(to.balances)];
  await database.query(SAVE, [...owner, ...next, from.sequence, from.hash]);
}

const ACCEPT = `
  INSERT INTO wallet_proofs (merchant_id, environment, sequence, hash, balances) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (merchant_id, environment) DO UPDATE
    SET sequence = excluded.sequence, hash = excluded.hash, balances = excluded.balances,
    compared_at = now()`;

export async function acceptPosition(
  tx: Transaction,
  { merchantId, environment }: Tenant,
  offer: unknown,
): Promise<void> {
  const { sequence, hash, balances } = position.parse(offer);
  await tx.query(ACCEPT, [merchantId, environment, sequence, hash, JSON.stringify(balances)]);
}

const REVERSED = `
  SELECT count(*)::integer AS count, coalesce(sum(net_cents + fee_cents), 0)::bigint AS amount
  FROM withdrawals
  WHERE id = ANY ($1::uuid[]) AND merchant_id = $2 AND environment = $3
    AND status IN ('FAILED', 'REJECTED', 'ABANDONED')`;

/** Counts the given withdrawals whose debit the ledger returned, and sums these debits in cents. */
export async function sumReturnedDebits(
  db: Queryable,
  { merchantId, environment }: Tenant,
  ids: readonly string[],
): Promise<{ count: number; amount: number }> {
  const [sums] = await db.query<{ count: number; amount: number }>(REVERSED, [ids, merchantId, environment]);
  return sums ?? { count: 0, amount: 0 };
}
