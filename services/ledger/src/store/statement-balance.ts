import type { Queryable } from '@plataforma/data';
import type { Cents, Tenant } from '@plataforma/kernel';
import type { Account } from '../domain/account.ts';
import { emptyWallet, methods, pockets, type Wallet } from '../domain/wallet.ts';
import { walletOf } from './wallets.ts';

export interface Moved {
  kind: string;
  account: Account;
  amount: Cents;
}

interface NearestBalance {
  now: Date;
  /**
   * The columns of the wallet's last stored state before the requested time. `since` is the time of that
   * state, as a text with microseconds.
   */
  wallet: Record<string, unknown> | null;
  since: string;
}

const FIND_NEAREST = `
  SELECT clock_timestamp() AS now, known.wallet, coalesce(known.changed_at::text, '-infinity') AS since
  FROM (SELECT) AS always LEFT JOIN (
    SELECT changed_at, to_jsonb(wallets) AS wallet FROM wallets
    WHERE merchant_id = $1 AND environment = $2 AND changed_at < $3
    UNION ALL
    (SELECT changed_at, wallet FROM wallet_snapshots
     WHERE merchant_id = $1 AND environment = $2 AND changed_at < $3 ORDER BY changed_at DESC
     LIMIT 1)) AS known
    ON true
  ORDER BY known.changed_at DESC LIMIT 1`;

/** This is a separate statement, so that PostgreSQL plans it for the few entries that follow `since`. */
const SUM_SINCE = `
  SELECT e.kind, l.account, sum(l.amount_cents)::bigint AS amount
  FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id
  WHERE e.merchant_id = $1 AND e.environment = $2 AND e.created_at > $3::timestamptz AND e.created_at < $4
  GROUP BY e.kind, l.account`;

/** Returns the wallet as it was at the end of the millisecond `at`, and the database's current time. */
export function findWalletAt(
  db: Queryable,
  tenant: Tenant,
  at: Date,
): Promise<{ wallet: Wallet; now: Date }> {
  return findWalletBefore(db, tenant, new Date(at.getTime() + 1));
}

/**
 * Returns the wallet as it was before `end`, and the database's current time. A string `end` may have
 * microseconds. `collectableDebt` and the hash chain of the returned wallet are not valid.
 */
export async function findWalletBefore(
  db: Queryable,
  tenant: Tenant,
  end: Date | string,
): Promise<{ wallet: Wallet; now: Date }> {
  const { merchantId, environment } = tenant;
  const [nearest] = await db.queryUnprepared<NearestBalance>(FIND_NEAREST, [merchantId, environment, end]);
  if (!nearest) throw new Error('a query for one row returned none');
  const bounds = [merchantId, environment, nearest.since, end];
  // The two queries need no common snapshot. The second query also finds entries that were posted after the
  // first query.
  const moved = await db.queryUnprepared<Moved>(SUM_SINCE, bounds);
  return { wallet: walletAfter(tenant, nearest.wallet, moved), now: nearest.now };
}

/**
 * Conditions for journal lines, one for each of the wallet's totals. The lines that match a condition add up
 * to the total.
 */
const earned = ({ kind, account }: Moved) => kind === 'charge_paid' && account.startsWith('clearing:');
const withdrawn = ({ kind, account }: Moved) => kind !== 'withdrawal_completed' && account === 'payouts';
const feesPaid = ({ account }: Moved) => account === 'fees';

export function walletAfter(
  tenant: Tenant,
  nearest: NearestBalance['wallet'],
  moved: readonly Moved[],
): Wallet {
  const movedOn = (isMeant: (line: Moved) => boolean) =>
    moved.filter(isMeant).reduce((total, { amount }) => total + amount, 0);
  const wallet = nearest ? walletOf(tenant, nearest) : emptyWallet(tenant);
  for (const pocket of pockets)
    for (const method of methods)
      wallet[pocket][method] += movedOn(({ account }) => account === `${pocket}:${method}`);
  wallet.disputeDebt -= movedOn(({ account }) => account === 'dispute_debt');
  wallet.collectableDebt = 0;
  wallet.totalEarned -= movedOn(earned);
  wallet.totalWithdrawn += movedOn(withdrawn);
  wallet.totalFeesPaid += movedOn(feesPaid);
  return wallet;
}
