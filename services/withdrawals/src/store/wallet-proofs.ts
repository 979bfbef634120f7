import type { Database, Queryable, SealedTable, Transaction } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { isTrusted, requireTrusted, type SealedRows, sealOf } from '@plataforma/tables';
import { z } from 'zod';
import { beginning, type Position } from '../domain/proof.ts';

const position = z.object({
  sequence: z.int(),
  hash: z.string().nullable(),
  balances: z.record(z.string(), z.int()),
});

const sealedProofs: SealedTable = { name: 'wallet_proofs', fields: ['sequence', 'hash', 'balances'] };
/** The last verified entries, for a command that seals existing rows. */
export const proofsToSeal: SealedRows = {
  table: sealedProofs,
  key: "(merchant_id || ' ' || environment)",
  ...{ keyType: 'text', columns: sealedProofs.fields },
};
const idOf = ({ merchantId, environment }: Tenant) => `${merchantId} ${environment}`;
const sealFor = (db: Queryable, tenant: Tenant, to: Position) =>
  sealOf(db, sealedProofs, { ...to, id: idOf(tenant) });

const FIND = `
  SELECT sequence, hash, balances, seal FROM wallet_proofs WHERE merchant_id = $1 AND environment = $2`;

/** A position that was read, with the seal of its row. The seal may be invalid. */
type ReadPosition = Position & { seal: string | null };

/**
 * Finds the last entry of a merchant's wallet that was verified. Without a valid seal, the verification
 * begins with the first entry.
 */
export async function findPosition(db: Queryable, tenant: Tenant): Promise<ReadPosition> {
  const [row] = await db.query<ReadPosition>(FIND, [tenant.merchantId, tenant.environment]);
  if (!row) return { ...beginning, seal: null };
  const isGood = isTrusted(db, sealedProofs, { ...row, id: idOf(tenant) });
  return { ...(isGood ? position.parse(row) : beginning), seal: row.seal };
}

const SAVE = `
  INSERT INTO wallet_proofs AS known (merchant_id, environment, sequence, hash, balances, seal)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (merchant_id, environment) DO UPDATE
    SET sequence = excluded.sequence, hash = excluded.hash, balances = excluded.balances,
      seal = excluded.seal, compared_at = now()
    WHERE known.seal IS NOT DISTINCT FROM $9
      AND ($7 = 0 OR known.sequence = $7 AND known.hash IS NOT DISTINCT FROM $8)`;

/**
 * Saves the last verified entry. Does nothing if another replica or an operator has changed the position
 * since `from` was read. A verification from the first entry also replaces a row without a valid seal.
 */
export async function savePosition(
  database: Database,
  tenant: Tenant,
  { from, to }: { from: ReadPosition; to: Position },
): Promise<void> {
  await database.query(SAVE, [...valuesOf(database, tenant, to), from.sequence, from.hash, from.seal]);
}

function valuesOf(db: Queryable, tenant: Tenant, to: Position): unknown[] {
  const { merchantId, environment } = tenant;
  return [
    merchantId,
    environment,
    to.sequence,
    to.hash,
    JSON.stringify(to.balances),
    sealFor(db, tenant, to),
  ];
}

const ACCEPT = `
  INSERT INTO wallet_proofs (merchant_id, environment, sequence, hash, balances, seal)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (merchant_id, environment) DO UPDATE
    SET sequence = excluded.sequence, hash = excluded.hash, balances = excluded.balances,
      seal = excluded.seal, compared_at = now()`;

/** Returns the position with a seal, to be stored until operators accept it. */
export function sealedOffer(
  db: Queryable,
  tenant: Tenant,
  offer: Position,
): Position & { seal: string | null } {
  return { ...offer, seal: sealFor(db, tenant, offer) };
}

const sealedPosition = position.extend({ seal: z.string().nullish() });

/** Stores an accepted position. Throws INVALID_STATE unless the service has offered it for this wallet. */
export async function acceptPosition(tx: Transaction, tenant: Tenant, offer: unknown): Promise<void> {
  const { seal = null, ...to } = sealedPosition.parse(offer);
  requireTrusted(tx, sealedProofs, { ...to, id: idOf(tenant), seal });
  await tx.query(ACCEPT, valuesOf(tx, tenant, to));
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
