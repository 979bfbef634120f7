import type { Database, Transaction } from '@plataforma/chassis';
import { type Environment, environments, PLATFORM_ID, type Tenant } from '@plataforma/kernel';
import { misfits, unchainedMisfits } from '../domain/chain.ts';
import type { Difference } from '../domain/difference.ts';
import type { ChainEnd, Wallet } from '../domain/wallet.ts';
import { foldDifferences } from '../domain/wallet-fold.ts';
import { findChainAt, findChained, findNextTenant, findUnchained } from '../store/chains.ts';
import { findOpenReceivables, findUnbalanced, foldWallet } from '../store/folds.ts';
import { findWallet } from '../store/wallets.ts';

/** How far a verification has come: to this entry of a wallet's chain; null: all of the wallet is done. */
export interface Progress extends Tenant {
  sequence: number | null;
}

interface Wanted {
  merchantId?: string | undefined;
  environment?: Environment | undefined;
  /** Null: from the beginning. */
  after: Progress | null;
  /** About how many entries to look at. */
  limit: number;
}

interface Verified {
  /** Those that are done. */
  wallets: number;
  entries: number;
  differences: (Tenant & Difference)[];
  /** Where to go on; null: there is no more. */
  next: Progress | null;
}

const CHUNK = 1_000;
/** Adding up a small wallet takes as long as looking at this many entries. */
const WALLET_COST = 100;
const MAX_DIFFERENCES = 1_000;

/**
 * Recomputes wallets from their entries and follows their chains. Nothing is locked: a wallet is added up in one
 * snapshot, and its entries, which never change, are read up to the one that was the last in it.
 */
export async function verifyBooks(database: Database, wanted: Wanted): Promise<Verified> {
  const verified: Verified = { wallets: 0, entries: 0, differences: [], next: wanted.after };
  let left = wanted.limit;
  while (left > 0 && verified.differences.length < MAX_DIFFERENCES) {
    const from = await whereToGoOn(database, wanted, verified.next);
    if (!from) return { ...verified, next: null };
    const { merchantId, environment } = from;
    const part = await verifyWallet(database, from, left);
    const found = part.differences.map((difference) => ({ merchantId, environment, ...difference }));
    verified.differences.push(...found);
    verified.wallets += part.sequence === null ? 1 : 0;
    verified.entries += part.entries;
    verified.next = { merchantId, environment, sequence: part.sequence };
    left -= WALLET_COST + part.entries;
  }
  return verified;
}

interface Place extends Tenant {
  sequence: number;
}

/** In the middle of a wallet, or at the beginning of the next one that is wanted. */
async function whereToGoOn(
  database: Database,
  { merchantId, environment }: Wanted,
  done: Progress | null,
): Promise<Place | null> {
  if (done && done.sequence !== null) return { ...done, sequence: done.sequence };
  if (merchantId) {
    const wanted = environments.filter((one) => environment === undefined || one === environment);
    const next = wanted.find((one) => done === null || one > done.environment);
    return next ? { merchantId, environment: next, sequence: 0 } : null;
  }
  let before: { merchantId: string; environment: string } = done ?? {
    merchantId: PLATFORM_ID,
    environment: '',
  };
  for (;;) {
    const next = await findNextTenant(database, before);
    if (!next) return null;
    if (environment === undefined || next.environment === environment) return { ...next, sequence: 0 };
    before = next;
  }
}

interface Part {
  entries: number;
  differences: Difference[];
  /** How far it came; null: to the end. */
  sequence: number | null;
}

async function verifyWallet(database: Database, from: Place, limit: number): Promise<Part> {
  const folded =
    from.sequence === 0
      ? await inSnapshot(database, (tx) => fold(tx, from))
      : { wallet: await findWallet(database, from), differences: [] };
  const chain = await followChain(database, from, { until: folded.wallet.chain, limit });
  if (chain.sequence !== null)
    return { ...chain, differences: [...folded.differences, ...chain.differences] };
  const others = await checkUnchained(database, from);
  return {
    entries: chain.entries + others.entries,
    differences: [...folded.differences, ...chain.differences, ...others.differences],
    sequence: null,
  };
}

function inSnapshot<T>(database: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    return work(tx);
  });
}

async function fold(tx: Transaction, tenant: Tenant): Promise<{ wallet: Wallet; differences: Difference[] }> {
  const wallet = await findWallet(tx, tenant);
  const receivables = await findOpenReceivables(tx, tenant);
  const differences = foldDifferences({ wallet, receivables }, await foldWallet(tx, tenant));
  const unbalanced = await findUnbalanced(tx, tenant);
  const ofEntries = unbalanced.map(({ id, sum }) => ({
    what: `lines of entry ${id}`,
    recorded: sum,
    computed: 0,
  }));
  return { wallet, differences: [...differences, ...ofEntries] };
}

async function followChain(
  database: Database,
  from: Place,
  { until, limit }: { until: ChainEnd; limit: number },
): Promise<Part> {
  const differences: Difference[] = [];
  let entries = 0;
  let end: ChainEnd = await findChainAt(database, from, from.sequence);
  while (end.sequence < until.sequence) {
    if (entries >= limit) return { entries, differences, sequence: end.sequence };
    const range = { after: end.sequence, until: until.sequence, limit: CHUNK };
    const chunk = await findChained(database, from, range);
    const last = chunk.at(-1);
    if (!last) break;
    differences.push(...misfits(chunk, end));
    end = { sequence: last.link.sequence ?? until.sequence, hash: last.link.hash };
    entries += chunk.length;
  }
  if (end.hash !== until.hash) {
    differences.push({ what: 'end of the chain', recorded: until.hash, computed: end.hash });
  }
  return { entries, differences, sequence: null };
}

async function checkUnchained(database: Database, tenant: Tenant): Promise<Omit<Part, 'sequence'>> {
  const differences: Difference[] = [];
  let entries = 0;
  for (let after: string | null = null; ; ) {
    const chunk = await findUnchained(database, tenant, { after, limit: CHUNK });
    differences.push(...chunk.flatMap(unchainedMisfits));
    entries += chunk.length;
    const last = chunk.at(-1);
    if (!last || chunk.length < CHUNK) return { entries, differences };
    after = last.id;
  }
}
