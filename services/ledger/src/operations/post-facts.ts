import type { Transaction } from '@plataforma/chassis';
import { newId, type Tenant } from '@plataforma/kernel';
import { applyPosting, type Fact, postingOf } from '../domain/posting.ts';
import { type Wallet, walletKey } from '../domain/wallet.ts';
import { appendEntries, appendLines, appendRows, type NewLine, type NewRow } from '../store/journal.ts';
import { lockWallets, saveWallets } from '../store/wallets.ts';

/**
 * Posts facts to the books: wallets locked in one order, all facts folded over them in memory, everything written
 * with one statement a table. A fact that was posted before changes nothing.
 */
export async function postFacts(tx: Transaction, facts: readonly Fact[]): Promise<void> {
  const wallets = new Map((await lockWallets(tx, facts)).map((wallet) => [walletKey(wallet), wallet]));
  const entries = facts.map((fact) => ({ id: newId(), fact }));
  const isNew = await appendEntries(tx, entries);

  const lines: NewLine[] = [];
  const rows: NewRow[] = [];
  for (const { id: entryId, fact } of entries.filter(({ id }) => isNew.has(id))) {
    const posting = postingOf(fact);
    const after = applyPosting(walletOf(wallets, fact), posting);
    wallets.set(walletKey(fact), after.wallet);
    lines.push(...posting.lines.map((line) => ({ entryId, ...line })));
    rows.push(...after.rows.map((row) => ({ id: newId(), entryId, tenant: fact, ...row })));
  }
  if (lines.length === 0) return;

  await appendLines(tx, lines);
  await appendRows(tx, rows);
  await saveWallets(tx, [...wallets.values()]);
}

function walletOf(wallets: ReadonlyMap<string, Wallet>, tenant: Tenant): Wallet {
  const wallet = wallets.get(walletKey(tenant));
  if (!wallet) throw new Error('a wallet was not locked before it was posted to');
  return wallet;
}
