import type { Database, Transaction } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { misfits } from '../domain/chain.ts';
import { type Balances, balancesIn, balancesOf, type Credit, creditsOf, gainedBy } from '../domain/proof.ts';
import type { ChainEnd } from '../domain/wallet.ts';
import { findChainAt, findChained } from '../store/chains.ts';
import { findTrusted, orderDifferences } from '../store/entry-orders.ts';
import { inSnapshot } from '../store/in-snapshot.ts';
import { type Debit, findDebit, sumBeforeChain } from '../store/proofs.ts';
import { findWallet } from '../store/wallets.ts';

interface Question {
  /** The sequence number of the last entry that the caller has verified, or 0. */
  after: number;
  limit: number;
  withdrawalId: string;
}

/** One page of a wallet's hash chain. The caller stores the end of each page and continues from there. */
interface WalletProof {
  /**
   * The entry with the sequence number `after`, which the caller verified last. Its hash is null if the
   * wallet has no such entry.
   */
  from: ChainEnd;
  reached: ChainEnd;
  /** The last entry of the chain. `wallet` contains the balances after this entry. */
  head: ChainEnd;
  wallet: Balances;
  /** The sum of the changes that the page's entries made to each balance. */
  moved: Balances;
  credits: Credit[];
  /**
   * The number of errors in the page: entries or statement rows that do not match the stored hashes, and
   * broken links between entries. Entries without an order count as one error per kind.
   */
  misfits: number;
  debit: Debit | null;
}

/** Returns the records that the withdrawals service verifies before a payout. Takes no locks. */
export function proveWallet(database: Database, tenant: Tenant, question: Question): Promise<WalletProof> {
  return inSnapshot(database, (tx) => prove(tx, tenant, question));
}

async function prove(
  tx: Transaction,
  tenant: Tenant,
  { after, limit, withdrawalId }: Question,
): Promise<WalletProof> {
  const wallet = await findWallet(tx, tenant);
  const { hash } = await findChainAt(tx, tenant, after);
  const from = { sequence: after, hash };
  const range = { after, until: Math.max(after, wallet.chain.sequence), limit };
  const entries = await findChained(tx, tenant, range);
  const last = entries.at(-1)?.link;
  const before = after === 0 ? await sumBeforeChain(tx, tenant) : [];
  const trusted = await findTrusted(tx, tenant);
  const debit = await findDebit(tx, tenant, withdrawalId);
  return {
    from,
    reached: last ? { sequence: last.sequence ?? after, hash: last.hash } : from,
    head: wallet.chain,
    wallet: balancesIn(wallet),
    moved: balancesOf([...before, ...entries.flatMap(({ lines }) => lines)]),
    credits: creditsOf(entries),
    misfits: misfits(entries, from).length + orderDifferences(tx, entries, trusted).length,
    debit: debit && { sequence: debit.sequence, amount: -gainedBy(debit.lines) },
  };
}
