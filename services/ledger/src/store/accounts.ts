import type { Queryable } from '@plataforma/data';
import type { Cents, Environment, Tenant } from '@plataforma/kernel';
import type { Account } from '../domain/account.ts';
import { sumBetween } from './snapshots.ts';

export type Sums = Map<Account, Cents>;

interface SumRow {
  account: Account;
  amount: Cents;
}

/** The number of entries that one SQL statement sums, so that each statement ends long before its timeout. */
const PORTION = 50_000;

const PORTION_OF_ENVIRONMENT = `
  WITH portion AS MATERIALIZED (
    SELECT id FROM journal_entries WHERE environment = $1 AND ($2::uuid IS NULL OR id > $2)
    ORDER BY id LIMIT $3)
  SELECT l.account, sum(l.amount_cents)::bigint AS amount,
    (SELECT id FROM portion ORDER BY id DESC LIMIT 1) AS last
  FROM portion JOIN journal_lines l ON l.entry_id = portion.id GROUP BY l.account`;

/**
 * Sums all lines of an environment by account. Needs no lock and no long transaction, because entries never
 * change and the lines of each entry add up to 0.
 */
export async function sumAccounts(db: Queryable, environment: Environment): Promise<Sums> {
  const sums: Sums = new Map();
  let after: string | null = null;
  for (;;) {
    const rows: (SumRow & { last: string })[] = await db.queryUnprepared(PORTION_OF_ENVIRONMENT, [
      environment,
      after,
      PORTION,
    ]);
    const [first] = rows;
    if (!first) return sums;
    for (const { account, amount } of rows) sums.set(account, (sums.get(account) ?? 0) + amount);
    after = first.last;
  }
}

export async function sumAccountsOf(db: Queryable, tenant: Tenant): Promise<Sums> {
  const sums: Sums = new Map();
  const moved = await sumBetween(db, tenant, { after: '-infinity', until: 'infinity' });
  for (const { account, amount } of moved) sums.set(account, (sums.get(account) ?? 0) + amount);
  return sums;
}
