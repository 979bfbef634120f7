import type { Database, Transaction } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { misfits } from '../domain/chain.ts';
import { type Balances, balancesIn, balancesOf, type Credit, creditsOf, gainedBy } from '../domain/proof.ts';
import type { ChainEnd } from '../domain/wallet.ts';
import { findChainAt, findChained } from '../store/chains.ts';
import { inSnapshot } from '../store/in-snapshot.ts';
import { type Debit, findDebit, sumBeforeChain } from '../store/proofs.ts';
import { findWallet } from '../store/wallets.ts';

interface Question {
  /** The sequence of the caller's last entry, or 0. */
  after: number;
  limit: number;
  withdrawalId: string;
}

/** One page of a wallet's chain, for a caller that stored the end of the page before. */
interface WalletProof {
  /** The entry at the caller's position. Its hash is null if it does not exist. */
  from: ChainEnd;
  reached: ChainEnd;
  /** The end of the chain, and the balances there. */
  head: ChainEnd;
  wallet: Balances;
  /** The changes of balances by the entries of the page. */
  moved: Balances;
  credits: Credit[];
  /** The number of differences between the entries and their hashes. */
  misfits: number;
  debit: Debit | null;
}

/** Reads the proof that a payout is compared with. Locks nothing. */
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
  const debit = await findDebit(tx, tenant, withdrawalId);
  return {
    from,
    reached: last ? { sequence: last.sequence ?? after, hash: last.hash } : from,
    head: wallet.chain,
    wallet: balancesIn(wallet),
    moved: balancesOf([...before, ...entries.flatMap(({ lines }) => lines)]),
    credits: creditsOf(entries),
    misfits: misfits(entries, from).length,
    debit: debit && { sequence: debit.sequence, amount: -gainedBy(debit.lines) },
  };
}
