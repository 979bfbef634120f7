import type { Queryable } from '@plataforma/data';
import type { Environment, Tenant } from '@plataforma/kernel';
import type { Chained } from '../domain/chain.ts';
import type { Instant } from '../domain/posting.ts';
import type { ChainEnd } from '../domain/wallet.ts';
import { type EntryRow, entryOf } from './journal.ts';
import { instantOf } from './moments.ts';

const NEXT_TENANT = `
  SELECT merchant_id AS "merchantId", environment FROM (
    (SELECT merchant_id, environment FROM wallets WHERE (merchant_id, environment) > ($1::uuid, $2)
     ORDER BY 1, 2 LIMIT 1)
    UNION ALL
    (SELECT merchant_id, environment FROM journal_entries WHERE (merchant_id, environment) > ($1::uuid, $2)
     ORDER BY 1, 2 LIMIT 1)) AS next
  ORDER BY 1, 2 LIMIT 1`;

/** Finds the next merchant and environment with a wallet or entries, in the order of their ids. */
export async function findNextTenant(
  db: Queryable,
  after: { merchantId: string; environment: string },
): Promise<Tenant | undefined> {
  const keys = [after.merchantId, after.environment];
  const [row] = await db.queryUnprepared<{ merchantId: string; environment: Environment }>(NEXT_TENANT, keys);
  return row;
}

interface LinkRow {
  wallet_sequence: number | null;
  previous: string | null;
  own: string | null;
  created_at: Instant;
  rows: Chained['rows'] | null;
  external_id: string | null;
  end_to_end_id: string | null;
  ordered_by: string | null;
  seal: string | null;
}

const SELECT = `
  SELECT e.id, e.kind, e.reference, e.merchant_id, e.environment, e.charge_id, e.occurred_at, e.memo,
    ${instantOf('e.created_at')} AS created_at, e.wallet_sequence, encode(e.previous_hash, 'hex') AS previous,
    encode(e.hash, 'hex') AS own, e.external_id, e.end_to_end_id, e.ordered_by, e.seal,
    coalesce((SELECT json_agg(json_build_object('account', account, 'amount', amount_cents))
     FROM journal_lines WHERE entry_id = e.id), '[]') AS lines,
    coalesce((SELECT json_agg(json_build_object('id', id, 'type', type, 'amount', amount_cents,
       'balanceAfter', balance_after_cents, 'description', description, 'method', payment_method,
       'chargeId', charge_id, 'withdrawalId', withdrawal_id, 'ordinal', ordinal,
       'createdAt', ${instantOf('t.created_at')},
       'isOwn', (t.merchant_id, t.environment) = (e.merchant_id, e.environment)))
     FROM wallet_transactions t WHERE t.entry_id = e.id), '[]') AS rows
  FROM journal_entries e WHERE e.merchant_id = $1 AND e.environment = $2`;

const OF_CHAIN = `${SELECT} AND e.wallet_sequence > $3 AND e.wallet_sequence <= $4
  ORDER BY e.wallet_sequence LIMIT $5`;

/** Finds the entries of a wallet's chain after `after`, up to and including `until`. */
export async function findChained(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { after, until, limit }: { after: number; until: number; limit: number },
): Promise<Chained[]> {
  const values = [merchantId, environment, after, until, limit];
  return (await db.queryUnprepared<EntryRow & LinkRow>(OF_CHAIN, values)).map(chainedOf);
}

const OF_NO_CHAIN = `${SELECT} AND e.wallet_sequence IS NULL AND NOT e.is_before_chain
  AND e.id > $3 ORDER BY e.id LIMIT $4`;

/** Finds the next entries outside of the chain. Excludes entries from before the ledger had chains. */
export async function findUnchained(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { after, limit }: { after: string; limit: number },
): Promise<Chained[]> {
  const values = [merchantId, environment, after, limit];
  return (await db.queryUnprepared<EntryRow & LinkRow>(OF_NO_CHAIN, values)).map(chainedOf);
}

const LINK = `
  SELECT encode(hash, 'hex') AS hash, ${instantOf('created_at')} AS at FROM journal_entries
  WHERE merchant_id = $1 AND environment = $2 AND wallet_sequence = $3`;

/** Finds hash and time of the entry with this sequence number. Both are null if the entry does not exist. */
export async function findChainAt(
  db: Queryable,
  { merchantId, environment }: Tenant,
  sequence: number,
): Promise<ChainEnd & { at: Instant | null }> {
  const [row] = await db.query<{ hash: string; at: Instant }>(LINK, [merchantId, environment, sequence]);
  return { sequence, hash: row?.hash ?? null, at: row?.at ?? null };
}

function chainedOf(row: EntryRow & LinkRow): Chained {
  const link = { sequence: row.wallet_sequence, previousHash: row.previous, hash: row.own };
  const { external_id: externalId, end_to_end_id: endToEndId, ordered_by: orderedBy, seal } = row;
  const origin = { externalId, endToEndId, orderedBy, seal };
  return { ...entryOf(row), ...origin, createdAt: row.created_at, rows: row.rows ?? [], link };
}
