import type { Transaction } from '@plataforma/data';
import { type Books, decidingKinds, type Outcome, type PostedEntry, post } from '../domain/books.ts';
import { entryKey } from '../domain/entry.ts';
import { chargeOf, type Fact, touchesWallet } from '../domain/fact.ts';
import { settledDaysOf } from '../domain/settled-day.ts';
import { walletKey } from '../domain/wallet.ts';
import { failPoint } from '../fail-points.ts';
import { metrics } from '../metrics.ts';
import { appendEntries, findExistingEntries } from './journal.ts';
import { findReceivables, saveReceivables } from './receivables.ts';
import { recordSettledDays } from './settled-days.ts';
import { lockWallets } from './wallets.ts';

const batchSize = metrics.recorder('plataforma_ledger_batch_size');
const postSeconds = metrics.recorder('plataforma_ledger_post_duration_seconds');

/**
 * Records final refusals, so that a repeated request is refused again. The caller must hold the row locks of
 * the wallets.
 */
const REFUSE_DEBITS = `
  INSERT INTO debit_answers (id, is_refused) SELECT id, true FROM unnest($1::uuid[]) AS id ORDER BY id
  ON CONFLICT (id) DO UPDATE SET is_refused = true`;

/**
 * Posts groups of facts and returns an outcome for each group. Locks the wallets in a fixed order, computes
 * the postings in memory, and writes them in one statement. A repeated fact changes nothing.
 */
export async function postFacts(tx: Transaction, groups: readonly (readonly Fact[])[]): Promise<Outcome[]> {
  const startedAt = performance.now();
  const books = await booksFor(tx, groups.flat());
  const results = groups.map((facts) => post(books, facts));

  const entries = results.flatMap((result) => result.entries);
  await appendEntries(tx, entries, changedWallets(books, entries));
  const refused = results.flatMap((result) => result.refused ?? []);
  if (refused.length > 0) await tx.query(REFUSE_DEBITS, [refused]);
  await saveReceivables(tx, changedReceivables(entries));
  await recordSettledDays(tx, settledDaysOf(entries));
  failPoint('facts.posted');
  batchSize({}, groups.length);
  postSeconds({}, (performance.now() - startedAt) / 1_000);
  return results.map(({ outcome }) => outcome);
}

/** Locks the wallets and reads the facts' records, which cannot change until `tx` ends. */
async function booksFor(tx: Transaction, facts: readonly Fact[]): Promise<Books> {
  const wallets = await lockWallets(tx, facts.filter(touchesWallet));
  const { entries, refused, ...times } = await findExistingEntries(
    tx,
    wallets,
    facts.flatMap(decidingEntries),
  );
  const receivables = await findReceivables(tx, chargesWithPast(facts));
  return {
    wallets: new Map(wallets.map((wallet) => [walletKey(wallet), wallet])),
    receivables: new Map(receivables.map((receivable) => [receivable.chargeId, receivable])),
    entries: new Map(entries.map((entry) => [entryKey(entry), entry])),
    refused: new Set(refused),
    ...times,
  };
}

function decidingEntries({ kind, reference }: Fact) {
  return decidingKinds(kind).map((deciding) => ({ kind: deciding, reference }));
}

/**
 * Returns the charges whose receivables must be read. The most frequent fact, `charge_paid`, needs no query,
 * because its charge has no receivable yet.
 */
function chargesWithPast(facts: readonly Fact[]): string[] {
  const charges = facts.filter(({ kind }) => kind !== 'charge_paid').map(chargeOf);
  return [...new Set(charges.filter((charge) => charge !== null))];
}

function changedReceivables(entries: readonly PostedEntry[]) {
  const changed = entries.flatMap(({ receivable }) => receivable ?? []);
  return [...new Map(changed.map((receivable) => [receivable.chargeId, receivable])).values()];
}

function changedWallets({ wallets }: Books, entries: readonly PostedEntry[]) {
  const own = entries.filter(({ link }) => link.sequence !== null);
  const times = new Map(own.map((entry) => [walletKey(entry), entry.createdAt]));
  return [...times].flatMap(([key, changedAt]) => {
    const wallet = wallets.get(key);
    return wallet ? [{ ...wallet, changedAt }] : [];
  });
}
