import type { Queryable } from '@plataforma/data';
import type { Cents, Tenant } from '@plataforma/kernel';
import type { Difference } from '../domain/row-counts.ts';
import { methods, pockets, type Wallet } from '../domain/wallet.ts';
import { findSnapshots, type Snapshot, sumBetween } from './snapshots.ts';
import { walletAfter } from './statement-balance.ts';
import { missingAmounts } from './wallets.ts';

/**
 * The period of the snapshots. `after` is exclusive and `until` is inclusive. Both are times in the
 * database's format or infinities.
 */
interface Period {
  after: string;
  until: string;
}

/**
 * Compares each wallet snapshot with the previous snapshot plus the entries between them. Takes no locks,
 * because snapshots and entries never change.
 */
export async function verifySnapshots(db: Queryable, tenant: Tenant, period: Period): Promise<Difference[]> {
  const { before, snapshots } = await findSnapshots(db, tenant, period);
  const differences: Difference[] = [];
  let previous: Snapshot | null = before && missingAmounts(before.wallet).length === 0 ? before : null;
  for (const snapshot of snapshots) {
    const missing = missingAmounts(snapshot.wallet).map((column) => `${column} as kept at ${snapshot.at}`);
    if (missing.length > 0) {
      differences.push(...missing.map((what) => ({ what, recorded: null, computed: null })));
      continue;
    }
    const moved = await sumBetween(db, tenant, { after: previous?.at ?? '-infinity', until: snapshot.at });
    const computed = amountsIn(walletAfter(tenant, previous?.wallet ?? null, moved));
    const recorded = amountsIn(walletAfter(tenant, snapshot.wallet, []));
    differences.push(...differing(snapshot.at, recorded, computed));
    previous = snapshot;
  }
  return differences;
}

function differing(at: string, recorded: Map<string, Cents>, computed: Map<string, Cents>): Difference[] {
  return [...recorded]
    .map(([name, amount]) => ({ name, recorded: amount + 0, computed: (computed.get(name) ?? 0) + 0 }))
    .filter((amount) => amount.recorded !== amount.computed)
    .map(({ name, ...amounts }) => ({ what: `${name} as kept at ${at}`, ...amounts }));
}

function amountsIn(wallet: Wallet): Map<string, Cents> {
  const pocketAmounts = pockets.flatMap((pocket) =>
    methods.map((method): [string, Cents] => [`${pocket}:${method}`, wallet[pocket][method]]),
  );
  return new Map([
    ...pocketAmounts,
    ['dispute debt', wallet.disputeDebt],
    ['total earned', wallet.totalEarned],
    ['total withdrawn', wallet.totalWithdrawn],
    ['total fees paid', wallet.totalFeesPaid],
  ]);
}
