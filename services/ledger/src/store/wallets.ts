import type { Queryable, Transaction } from '@plataforma/data';
import type { Environment, Tenant } from '@plataforma/kernel';
import type { Instant } from '../domain/posting.ts';
import { emptyWallet, type Wallet, walletKey } from '../domain/wallet.ts';

const amountColumns = [
  'available_pix_cents',
  'available_card_cents',
  'available_boleto_cents',
  'pending_pix_cents',
  'pending_card_cents',
  'pending_boleto_cents',
  'reserved_pix_cents',
  'reserved_card_cents',
  'reserved_boleto_cents',
  'blocked_pix_cents',
  'blocked_card_cents',
  'blocked_boleto_cents',
  'dispute_debt_cents',
  'collectable_debt_cents',
  'total_earned_cents',
  'total_withdrawn_cents',
  'total_fees_paid_cents',
] as const;

/** Named one by one: a column that a newer release adds must not change what a prepared statement answers. */
const COLUMNS = `merchant_id, environment, ${amountColumns.join(', ')},
  chain_sequence, encode(chain_hash, 'hex') AS chain_hash`;

type WalletRow = Record<(typeof amountColumns)[number], number> & {
  merchant_id: string;
  environment: Environment;
  chain_sequence: number;
  chain_hash: string | null;
};

const FIND = `SELECT ${COLUMNS} FROM wallets WHERE merchant_id = $1 AND environment = $2`;

/** Reads a wallet; one that was never posted to is empty. */
export async function findWallet(db: Queryable, tenant: Tenant): Promise<Wallet> {
  const [row] = await db.query<WalletRow>(FIND, [tenant.merchantId, tenant.environment]);
  return row ? walletOf(row) : emptyWallet(tenant);
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
      WHERE (merchant_id, environment) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))) = cardinality($1::uuid[])
  ORDER BY merchant_id, environment
  FOR NO KEY UPDATE`;

/**
 * Locks the wallets of all tenants, always in the same order: all of them or, when one is missing, none. What is
 * missing is created before anything is locked: who waited for a new wallet with others locked could be waited
 * for in turn.
 */
export async function lockWallets(tx: Transaction, tenants: readonly Tenant[]): Promise<Wallet[]> {
  if (tenants.length === 0) return [];
  const distinct = [...new Map(tenants.map((tenant) => [walletKey(tenant), tenant])).values()];
  const keys = [distinct.map(({ merchantId }) => merchantId), distinct.map(({ environment }) => environment)];
  const locked = await tx.query<WalletRow>(LOCK, keys);
  if (locked.length === distinct.length) return locked.map(walletOf);
  await tx.query(CREATE_MISSING, keys);
  return (await tx.query<WalletRow>(LOCK, keys)).map(walletOf);
}

/** The statement that saves the wallets of a parameter. */
export const savingWallets = (parameter: string) => `
  UPDATE wallets SET ${amountColumns.map((column) => `${column} = next.${column}`).join(', ')},
    chain_sequence = next.chain_sequence, chain_hash = decode(next.chain_hash, 'hex'), changed_at = next.changed_at
  FROM jsonb_to_recordset(${parameter}) AS next (
    merchant_id uuid, environment text, chain_sequence bigint, chain_hash text, changed_at timestamptz, ${amountColumns.map((column) => `${column} bigint`).join(', ')})
  WHERE wallets.merchant_id = next.merchant_id AND wallets.environment = next.environment`;

/** The value of that parameter. */
export function savedWallets(wallets: readonly (Wallet & { changedAt: Instant })[]): string {
  return JSON.stringify(wallets.map((wallet) => ({ ...rowOf(wallet), changed_at: wallet.changedAt })));
}

function walletOf(row: WalletRow): Wallet {
  const pocket = (name: 'available' | 'pending' | 'reserved' | 'blocked') => ({
    PIX: row[`${name}_pix_cents`],
    CARD: row[`${name}_card_cents`],
    BOLETO: row[`${name}_boleto_cents`],
  });
  return {
    merchantId: row.merchant_id,
    environment: row.environment,
    available: pocket('available'),
    pending: pocket('pending'),
    reserved: pocket('reserved'),
    blocked: pocket('blocked'),
    disputeDebt: row.dispute_debt_cents,
    collectableDebt: row.collectable_debt_cents,
    totalEarned: row.total_earned_cents,
    totalWithdrawn: row.total_withdrawn_cents,
    totalFeesPaid: row.total_fees_paid_cents,
    chain: { sequence: row.chain_sequence, hash: row.chain_hash },
  };
}

function rowOf(wallet: Wallet): WalletRow {
  return {
    merchant_id: wallet.merchantId,
    environment: wallet.environment,
    available_pix_cents: wallet.available.PIX,
    available_card_cents: wallet.available.CARD,
    available_boleto_cents: wallet.available.BOLETO,
    pending_pix_cents: wallet.pending.PIX,
    pending_card_cents: wallet.pending.CARD,
    pending_boleto_cents: wallet.pending.BOLETO,
    reserved_pix_cents: wallet.reserved.PIX,
    reserved_card_cents: wallet.reserved.CARD,
    reserved_boleto_cents: wallet.reserved.BOLETO,
    blocked_pix_cents: wallet.blocked.PIX,
    blocked_card_cents: wallet.blocked.CARD,
    blocked_boleto_cents: wallet.blocked.BOLETO,
    dispute_debt_cents: wallet.disputeDebt,
    collectable_debt_cents: wallet.collectableDebt,
    total_earned_cents: wallet.totalEarned,
    total_withdrawn_cents: wallet.totalWithdrawn,
    total_fees_paid_cents: wallet.totalFeesPaid,
    chain_sequence: wallet.chain.sequence,
    chain_hash: wallet.chain.hash,
  };
}
