import type { Queryable, Transaction } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { Instant } from '../domain/posting.ts';
import { emptyWallet, methods, pockets, type Wallet, walletKey } from '../domain/wallet.ts';

const pocketColumns = pockets.flatMap((pocket) =>
  methods.map((method) => ({ pocket, method, column: `${pocket}_${method.toLowerCase()}_cents` })),
);
/**
 * Older snapshots lack a column that is added here later. The code must then read the column of these
 * snapshots with a default value.
 */
const totalColumns = [
  { total: 'disputeDebt', column: 'dispute_debt_cents' },
  { total: 'collectableDebt', column: 'collectable_debt_cents' },
  { total: 'totalEarned', column: 'total_earned_cents' },
  { total: 'totalWithdrawn', column: 'total_withdrawn_cents' },
  { total: 'totalFeesPaid', column: 'total_fees_paid_cents' },
] as const;
const amountColumns = [...pocketColumns, ...totalColumns].map(({ column }) => column);

/** Lists the columns explicitly. With `*` a new column of a later release would break prepared statements. */
const COLUMNS = `merchant_id AS "merchantId", environment, ${amountColumns.join(', ')},
  chain_sequence, encode(chain_hash, 'hex') AS chain_hash`;

type Columns = Readonly<Record<string, unknown>>;
type WalletRow = Columns & Tenant & { chain_sequence: number; chain_hash: string | null };

const FIND = `SELECT ${COLUMNS} FROM wallets WHERE merchant_id = $1 AND environment = $2`;

/** Returns a wallet. If the wallet has no row, returns an empty wallet. */
export async function findWallet(db: Queryable, tenant: Tenant): Promise<Wallet> {
  const [row] = await db.query<WalletRow>(FIND, [tenant.merchantId, tenant.environment]);
  return row ? chainedWalletOf(row) : emptyWallet(tenant);
}

const CREATE_MISSING = `
  INSERT INTO wallets (merchant_id, environment)
  SELECT * FROM unnest($1::uuid[], $2::text[]) AS tenant (merchant_id, environment)
  ORDER BY merchant_id, environment
  ON CONFLICT DO NOTHING`;

const LOCK = `
  SELECT ${COLUMNS} FROM wallets
  WHERE (merchant_id, environment) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
    AND (SELECT count(*) FROM wallets
      WHERE (merchant_id, environment) IN (SELECT * FROM unnest($1::uuid[],
      $2::text[]))) = cardinality($1::uuid[])
  ORDER BY merchant_id, environment
  FOR NO KEY UPDATE`;

/**
 * Locks the wallets' rows in a fixed order. Creates all missing rows before it locks any row, because two
 * transactions could otherwise deadlock.
 */
export async function lockWallets(tx: Transaction, tenants: readonly Tenant[]): Promise<Wallet[]> {
  if (tenants.length === 0) return [];
  const distinct = [...new Map(tenants.map((tenant) => [walletKey(tenant), tenant])).values()];
  const keys = [distinct.map(({ merchantId }) => merchantId), distinct.map(({ environment }) => environment)];
  const locked = await tx.query<WalletRow>(LOCK, keys);
  if (locked.length === distinct.length) return locked.map(chainedWalletOf);
  await tx.query(CREATE_MISSING, keys);
  return (await tx.query<WalletRow>(LOCK, keys)).map(chainedWalletOf);
}

/** Returns SQL that saves the wallets in the JSON parameter `parameter`. */
export const savingWallets = (parameter: string) => `
  UPDATE wallets SET ${amountColumns.map((column) => `${column} = next.${column}`).join(', ')},
    chain_sequence = next.chain_sequence, chain_hash = decode(next.chain_hash, 'hex'),
    changed_at = next.changed_at
  FROM jsonb_to_recordset(${parameter}) AS next (
    merchant_id uuid, environment text, chain_sequence bigint, chain_hash text, changed_at timestamptz,
    ${amountColumns.map((column) => `${column} bigint`).join(', ')})
  WHERE wallets.merchant_id = next.merchant_id AND wallets.environment = next.environment`;

export function savedWallets(wallets: readonly (Wallet & { changedAt: Instant })[]): string {
  return JSON.stringify(wallets.map((wallet) => ({ ...rowOf(wallet), changed_at: wallet.changedAt })));
}

export function missingAmounts(columns: Columns): string[] {
  return amountColumns.filter((column) => typeof columns[column] !== 'number');
}

/** Builds a wallet from its amount columns, without its hash chain. Throws if a column is missing. */
export function walletOf(tenant: Tenant, columns: Columns): Wallet {
  const missing = missingAmounts(columns);
  if (missing.length > 0) throw new Error(`a wallet lacks the amounts ${missing}`);
  const wallet = emptyWallet(tenant);
  const amountIn = (column: string) => Number(columns[column]);
  for (const { pocket, method, column } of pocketColumns) wallet[pocket][method] = amountIn(column);
  for (const { total, column } of totalColumns) wallet[total] = amountIn(column);
  return wallet;
}

function chainedWalletOf(row: WalletRow): Wallet {
  return { ...walletOf(row, row), chain: { sequence: row.chain_sequence, hash: row.chain_hash } };
}

function rowOf(wallet: Wallet): Record<string, unknown> {
  const { merchantId, environment, chain } = wallet;
  const amounts = [
    ...pocketColumns.map(({ pocket, method, column }) => [column, wallet[pocket][method]]),
    ...totalColumns.map(({ total, column }) => [column, wallet[total]]),
  ];
  const owner = { merchant_id: merchantId, environment };
  return { ...owner, ...Object.fromEntries(amounts), chain_sequence: chain.sequence, chain_hash: chain.hash };
}
