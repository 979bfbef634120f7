import { brokenCursor, type Position, type Queryable } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { WalletTransaction } from '../domain/statement.ts';

export const ROW_COLUMNS = `ordinal, id, entry_id AS "entryId", type, amount_cents AS amount, description,
  created_at AS "createdAt", charge_id AS "chargeId", withdrawal_id AS "withdrawalId",
  payment_method AS "paymentMethod",
  balance_after_cents AS "balanceAfter"`;

export type TransactionRow = WalletTransaction & { ordinal: number; entryId: string } & Record<
    string,
    unknown
  >;

export type Order = 'asc' | 'desc';

/** Returns the ordinal in a cursor. Throws if the cursor does not contain a valid ordinal. */
export function ordinalOf({ values: [ordinal] }: Position): number {
  if (typeof ordinal !== 'number' || !Number.isSafeInteger(ordinal)) throw brokenCursor();
  return ordinal;
}

const readBetween = (order: Order) => `
  SELECT ${ROW_COLUMNS} FROM wallet_transactions
  WHERE merchant_id = $1 AND environment = $2 AND ordinal > $3 AND ordinal <= $4
  ORDER BY ordinal ${order}`;

const READ_BETWEEN = { asc: readBetween('asc'), desc: readBetween('desc') };

/** Reads the rows of a wallet after the ordinal `after`, up to and including the ordinal `last`. */
export async function readRowsBetween(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { after, last, order = 'desc' }: { after: number; last: number; order?: Order },
): Promise<TransactionRow[]> {
  return db.queryUnprepared<TransactionRow>(READ_BETWEEN[order], [merchantId, environment, after, last]);
}

const BALANCES = `
  SELECT ordinal, balance_after_cents AS balance FROM wallet_transactions
  WHERE merchant_id = $1 AND environment = $2 AND ordinal = ANY ($3::bigint[])`;

/** Finds the balance after each of the rows with these ordinals. */
export async function findBalancesAfter(
  db: Queryable,
  { merchantId, environment }: Tenant,
  ordinals: readonly number[],
): Promise<Map<number, number>> {
  const keys = [merchantId, environment, ordinals];
  const rows = await db.queryUnprepared<{ ordinal: number; balance: number }>(BALANCES, keys);
  return new Map(rows.map(({ ordinal, balance }) => [ordinal, balance]));
}
