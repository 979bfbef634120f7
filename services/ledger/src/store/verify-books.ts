import type { Database, Transaction } from '@plataforma/data';
import {
  type Environment,
  environments,
  FIRST_ID,
  PLATFORM_ID,
  Refusal,
  type Tenant,
} from '@plataforma/kernel';
import { misfits, unchainedMisfits } from '../domain/chain.ts';
import type { Progress } from '../domain/progress.ts';
import { countDifferences, type Difference } from '../domain/row-counts.ts';
import type { ChainEnd } from '../domain/wallet.ts';
import { walletDifferences } from '../domain/wallet-check.ts';
import { findChainAt, findChained, findNextTenant, findUnchained } from './chains.ts';
import { findTrusted, orderDifferences } from './entry-orders.ts';
import { inSnapshot } from './in-snapshot.ts';
import { findRowCounts, sumRows } from './row-sums.ts';
import { verifySnapshots } from './verify-snapshots.ts';
import { findLastChange, findOpenReceivables, sumWallet } from './wallet-sums.ts';
import { findWallet } from './wallets.ts';

interface VerifyOptions {
  merchantId?: string | undefined;
  environment?: Environment | undefined;
  /** The position to continue from. Null starts from the beginning. */
  after: Progress | null;
  /** The approximate number of entries to read. */
  limit: number;
}

interface Verified {
  /** The number of wallets that were verified to their end. */
  wallets: number;
  entries: number;
  differences: (Tenant & Difference)[];
  /** The position from which the next call continues. Null if all wallets are verified. */
  next: Progress | null;
}

const CHUNK = 1_000;
/**
 * The fixed cost of each wallet, in entries. Summing a small wallet takes as long as reading this many
 * entries.
 */
const WALLET_COST = 100;
const MAX_DIFFERENCES = 1_000;

/**
 * Recomputes wallets from their entries and verifies their hash chains. Takes no locks: it sums a wallet in
 * one snapshot and then reads the entries up to that state, which never change. Throws VALIDATION_ERROR for
 * an invalid position.
 */
export async function verifyBooks(database: Database, options: VerifyOptions): Promise<Verified> {
  const verified: Verified = { wallets: 0, entries: 0, differences: [], next: options.after };
  await requireProgress(database, options);
  let left = options.limit;
  while (left > 0 && verified.differences.length < MAX_DIFFERENCES) {
    const from = await whereToGoOn(database, options, verified.next);
    if (!from) return { ...verified, next: null };
    const { merchantId, environment } = from;
    const part = await verifyWallet(database, from, left);
    const found = part.differences.map((difference) => ({ merchantId, environment, ...difference }));
    verified.differences.push(...found);
    verified.wallets += part.position === null ? 1 : 0;
    verified.entries += part.entries;
    verified.next = { merchantId, environment, position: part.position };
    left -= WALLET_COST + part.entries;
  }
  return verified;
}

/**
 * `after` is the position at which an earlier answer ended. Throws VALIDATION_ERROR if the filter excludes
 * this position, or if the entry at this position does not exist.
 */
async function requireProgress(
  database: Database,
  { merchantId, environment, after }: VerifyOptions,
): Promise<void> {
  if (!after) return;
  const isInScope =
    (merchantId ?? after.merchantId) === after.merchantId &&
    (environment ?? after.environment) === after.environment;
  if (!isInScope) throw badProgress('is of another merchant or environment');
  if (typeof after.position !== 'number' || after.position === 0) return;
  const { hash } = await findChainAt(database, after, after.position);
  if (hash === null) throw badProgress('names an entry beyond the end of the chain');
}

function badProgress(problem: string): Refusal {
  return new Refusal('invalid', 'VALIDATION_ERROR', `after: ${problem}`);
}

interface Position extends Tenant {
  position: number | string;
}

/**
 * Returns the next position to verify: in the current wallet, or at the start of the next wallet that the
 * filter selects. Returns null after the last wallet.
 */
async function whereToGoOn(
  database: Database,
  { merchantId, environment }: VerifyOptions,
  done: Progress | null,
): Promise<Position | null> {
  if (done && done.position !== null) return { ...done, position: done.position };
  if (merchantId) {
    const requested = environments.filter((one) => environment === undefined || one === environment);
    const next = requested.find((one) => done === null || one > done.environment);
    return next ? { merchantId, environment: next, position: 0 } : null;
  }
  let before: { merchantId: string; environment: string } = done ?? {
    merchantId: PLATFORM_ID,
    environment: '',
  };
  for (;;) {
    const next = await findNextTenant(database, before);
    if (!next) return null;
    if (environment === undefined || next.environment === environment) return { ...next, position: 0 };
    before = next;
  }
}

interface Part {
  entries: number;
  differences: Difference[];
  /** The position from which the verification of this wallet continues. Null at the wallet's end. */
  position: Progress['position'];
}

async function verifyWallet(database: Database, from: Position, limit: number): Promise<Part> {
  if (typeof from.position === 'string')
    return checkUnchained(database, from, { after: from.position, limit });
  const { chain: until, differences } =
    from.position === 0
      ? await inSnapshot(database, (tx) => checkWallet(tx, from))
      : { chain: (await findWallet(database, from)).chain, differences: [] };
  const chain = await followChain(database, from, { from: from.position, until, limit });
  differences.push(...chain.differences);
  if (chain.position !== null) return { ...chain, differences };
  const left = limit - chain.entries;
  const others = await checkUnchained(database, from, { after: FIRST_ID, limit: left });
  differences.push(...others.differences);
  return { entries: chain.entries + others.entries, differences, position: others.position };
}

interface CheckedWallet {
  chain: ChainEnd;
  differences: Difference[];
}

async function checkWallet(tx: Transaction, tenant: Tenant): Promise<CheckedWallet> {
  const wallet = await findWallet(tx, tenant);
  const receivables = await findOpenReceivables(tx, tenant);
  const rows = await sumRows(tx, tenant);
  const { sums, unbalanced } = await sumWallet(tx, tenant, rows.byType);
  const change = await findLastChange(tx, tenant);
  const differences: Difference[] = [
    ...walletDifferences({ wallet, receivables }, sums),
    ...(change && change.recorded !== change.computed
      ? [{ what: 'time of the last change', ...change }]
      : []),
    ...(rows.last === rows.rows
      ? []
      : [{ what: 'number of the last row', recorded: rows.last, computed: rows.rows }]),
    ...countDifferences(await findRowCounts(tx, tenant), rows.byDay),
    ...rows.foreignRows.map((id) => ({ what: `row ${id}, of no entry here`, recorded: id, computed: null })),
    ...unbalanced.map(({ id, sum }) => ({ what: `lines of entry ${id}`, recorded: sum, computed: 0 })),
  ];
  return { chain: wallet.chain, differences };
}

async function followChain(
  database: Database,
  tenant: Tenant,
  { from, until, limit }: { from: number; until: ChainEnd; limit: number },
): Promise<Part> {
  const differences: Difference[] = [];
  let entries = 0;
  const trusted = await findTrusted(database, tenant);
  const { at, ...begin } = await findChainAt(database, tenant, from);
  let end: ChainEnd = begin;
  let after = at ?? '-infinity';
  while (end.sequence < until.sequence) {
    if (entries >= limit) return { entries, differences, position: end.sequence };
    const range = { after: end.sequence, until: until.sequence, limit: CHUNK };
    const chunk = await findChained(database, tenant, range);
    const last = chunk.at(-1);
    if (!last) break;
    differences.push(...misfits(chunk, end), ...orderDifferences(database, chunk, trusted));
    differences.push(...(await verifySnapshots(database, tenant, { after, until: last.createdAt })));
    end = { sequence: last.link.sequence ?? until.sequence, hash: last.link.hash };
    after = last.createdAt;
    entries += chunk.length;
  }
  if (end.hash !== until.hash) {
    differences.push({ what: 'end of the chain', recorded: until.hash, computed: end.hash });
  }
  differences.push(...(await verifySnapshots(database, tenant, { after, until: 'infinity' })));
  return { entries, differences, position: null };
}

async function checkUnchained(
  database: Database,
  tenant: Tenant,
  { after: from, limit }: { after: string; limit: number },
): Promise<Part> {
  const differences: Difference[] = [];
  let entries = 0;
  for (let after = from; ; ) {
    const chunk = await findUnchained(database, tenant, { after, limit: CHUNK });
    differences.push(...chunk.flatMap(unchainedMisfits));
    entries += chunk.length;
    const last = chunk.at(-1);
    if (!last || chunk.length < CHUNK) return { entries, differences, position: null };
    after = last.id;
    if (entries >= limit) return { entries, differences, position: after };
  }
}
