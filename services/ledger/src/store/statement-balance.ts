import type { Queryable } from '@plataforma/chassis';
import type { Cents, Tenant } from '@plataforma/kernel';
import { emptyWallet, methods, pockets, type Wallet } from '../domain/wallet.ts';

interface Moved {
  kind: string;
  account: string;
  amount: Cents;
}

interface Known {
  now: Date;
  /** The columns of the wallet at the last instant it is known of; null: there was nothing. */
  wallet: Record<string, unknown> | null;
  /** What its entries have moved since then. */
  moved: Moved[];
  [column: string]: unknown;
}

const FIND = `
  WITH known AS (
    SELECT changed_at, wallet FROM (
      SELECT changed_at, to_jsonb(wallets) AS wallet FROM wallets
      WHERE merchant_id = $1 AND environment = $2 AND changed_at < $3
      UNION ALL
      (SELECT changed_at, wallet FROM wallet_snapshots
       WHERE merchant_id = $1 AND environment = $2 AND changed_at < $3 ORDER BY changed_at DESC LIMIT 1)) AS either
    ORDER BY changed_at DESC LIMIT 1),
  moved AS (
    SELECT e.kind, l.account, sum(l.amount_cents) AS amount
    FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id
    WHERE e.merchant_id = $1 AND e.environment = $2
      AND e.created_at > coalesce((SELECT changed_at FROM known), '-infinity') AND e.created_at < $3
    GROUP BY e.kind, l.account)
  SELECT clock_timestamp() AS now, (SELECT wallet FROM known) AS wallet,
    (SELECT coalesce(json_agg(moved), '[]') FROM moved) AS moved`;

/**
 * The wallet as it stood at the end of a millisecond, and what time it is for the database, whose clock says when
 * something was posted. Its debt to collect is left out.
 */
export async function findWalletAt(
  db: Queryable,
  tenant: Tenant,
  at: Date,
): Promise<{ wallet: Wallet; now: Date }> {
  const end = new Date(at.getTime() + 1);
  const [found] = await db.queryUnprepared<Known>(FIND, [tenant.merchantId, tenant.environment, end]);
  if (!found) throw new Error('a query of one row answered none');
  return { wallet: walletOf(tenant, found), now: found.now };
}

/** Which lines make up the totals: gross of paid charges, and what withdrawals took and gave back. */
const earned = ({ kind, account }: Moved) => kind === 'charge_paid' && account.startsWith('clearing:');
const withdrawn = ({ kind, account }: Moved) => kind !== 'withdrawal_completed' && account === 'payouts';
const feesPaid = ({ account }: Moved) => account === 'fees';

function walletOf(tenant: Tenant, { wallet: known, moved }: Known): Wallet {
  const heldIn = (column: string) => Number(known?.[column] ?? 0);
  const movedOn = (isMeant: (line: Moved) => boolean) =>
    moved.filter(isMeant).reduce((total, { amount }) => total + amount, 0);

  const wallet = emptyWallet(tenant);
  for (const pocket of pockets) {
    for (const method of methods) {
      const before = heldIn(`${pocket}_${method.toLowerCase()}_cents`);
      wallet[pocket][method] = before + movedOn(({ account }) => account === `${pocket}:${method}`);
    }
  }
  wallet.disputeDebt = heldIn('dispute_debt_cents') - movedOn(({ account }) => account === 'dispute_debt');
  wallet.totalEarned = heldIn('total_earned_cents') - movedOn(earned);
  wallet.totalWithdrawn = heldIn('total_withdrawn_cents') + movedOn(withdrawn);
  wallet.totalFeesPaid = heldIn('total_fees_paid_cents') + movedOn(feesPaid);
  return wallet;
}
