import type { Transaction } from '@plataforma/data';
import { type Cents, FIRST_ID, type Tenant } from '@plataforma/kernel';
import type { Instant } from '../domain/posting.ts';
import type { WalletSums } from '../domain/wallet-check.ts';
import { instantOf } from './moments.ts';

/** The number of entries that one SQL statement sums, so that each statement ends long before its timeout. */
const PORTION = 100_000;

const OF_WALLET = `
  SELECT id, kind, charge_id, is_before_chain FROM journal_entries WHERE merchant_id = $1
  AND environment = $2`;

/**
 * SQL that selects the next portion of a wallet's entries: the entries in its hash chain, or all others. The
 * others are older than the hash chains, or change no wallet.
 */
const portions = {
  chained: `${OF_WALLET} AND wallet_sequence > $3::bigint AND wallet_sequence <= $3::bigint + ${PORTION}`,
  others: `${OF_WALLET} AND wallet_sequence IS NULL AND id > $3::uuid ORDER BY id LIMIT ${PORTION}`,
};
type Portion = keyof typeof portions;

const linesOf = (portion: Portion) => `
  WITH e AS MATERIALIZED (${portions[portion]})
  SELECT e.kind, l.account, sum(l.amount_cents)::bigint AS amount FROM e JOIN journal_lines l
  ON l.entry_id = e.id
  WHERE e.kind NOT IN ('unexpected_payment_received', 'unexpected_payment_returned') GROUP BY 1, 2`;

const pendingOf = (portion: Portion) => `
  WITH e AS MATERIALIZED (${portions[portion]})
  SELECT e.charge_id AS charge, sum(l.amount_cents)::bigint AS amount FROM e JOIN journal_lines l
  ON l.entry_id = e.id
  WHERE l.account LIKE 'pending:%' GROUP BY 1 HAVING sum(l.amount_cents) <> 0`;

const UNBALANCED = `
  WITH e AS MATERIALIZED (${portions.others})
  SELECT e.id, coalesce(sum(l.amount_cents), 0)::bigint AS sum FROM e LEFT JOIN journal_lines l
  ON l.entry_id = e.id
  WHERE e.is_before_chain GROUP BY e.id HAVING coalesce(sum(l.amount_cents), 1) <> 0 LIMIT 100`;

const REACH = `
  WITH e AS MATERIALIZED (${portions.others}) SELECT id FROM e ORDER BY id DESC LIMIT 1`;

const LAST = `
  SELECT coalesce(max(wallet_sequence), 0) AS sequence,
    (SELECT t.balance_after_cents FROM journal_entries e
     JOIN wallet_transactions t ON t.entry_id = e.id
     WHERE e.merchant_id = $1 AND e.environment = $2 AND e.wallet_sequence IS NOT NULL
     ORDER BY e.wallet_sequence DESC, t.id DESC LIMIT 1) AS balance
  FROM journal_entries WHERE merchant_id = $1 AND environment = $2`;

/**
 * A faulty entry that is older than the ledger's hash chains. The entry has no lines, or the sum of its lines
 * is not 0.
 */
export interface Unbalanced {
  id: string;
  sum: Cents;
}

/** Sums all entries of a wallet. `tx` must be a snapshot, so that all its statements see the same entries. */
export async function sumWallet(
  tx: Transaction,
  tenant: Tenant,
  rows: WalletSums['rows'],
): Promise<{ sums: WalletSums; unbalanced: Unbalanced[] }> {
  const keys = [tenant.merchantId, tenant.environment];
  const [last] = await tx.queryUnprepared<{ sequence: number; balance: Cents | null }>(LAST, keys);
  const lastSequence = last?.sequence ?? 0;
  const lastBalance = last?.balance ?? null;
  const sums: WalletSums = { lines: [], rows, pending: new Map(), lastSequence, lastBalance };
  const unbalanced: Unbalanced[] = [];
  for (let from: string = FIRST_ID; ; ) {
    const [reach] = await tx.queryUnprepared<{ id: string }>(REACH, [...keys, from]);
    if (!reach) break;
    await addPortion(tx, sums, { portion: 'others', keys: [...keys, from] });
    unbalanced.push(...(await tx.queryUnprepared<Unbalanced>(UNBALANCED, [...keys, from])));
    from = reach.id;
  }
  for (let from = 0; from < lastSequence; from += PORTION) {
    await addPortion(tx, sums, { portion: 'chained', keys: [...keys, from] });
  }
  return { sums, unbalanced };
}

async function addPortion(
  tx: Transaction,
  sums: WalletSums,
  { portion, keys }: { portion: Portion; keys: unknown[] },
): Promise<void> {
  sums.lines.push(...(await tx.queryUnprepared<WalletSums['lines'][number]>(linesOf(portion), keys)));
  const pending = await tx.queryUnprepared<{ charge: string; amount: Cents }>(pendingOf(portion), keys);
  for (const { charge, amount } of pending) addPending(sums.pending, charge, amount);
}

/**
 * Adds a pending amount of a charge. Removes the charge at 0, so that only charges with pending money use
 * memory.
 */
function addPending(pending: Map<string, Cents>, charge: string, amount: Cents): void {
  const sum = (pending.get(charge) ?? 0) + amount;
  if (sum === 0) pending.delete(charge);
  else pending.set(charge, sum);
}

const OPEN_RECEIVABLES = `
  SELECT charge_id AS charge, remaining_cents AS amount FROM receivables
  WHERE merchant_id = $1 AND environment = $2 AND remaining_cents > 0`;

export async function findOpenReceivables(
  tx: Transaction,
  { merchantId, environment }: Tenant,
): Promise<Map<string, Cents>> {
  const rows = await tx.queryUnprepared<{ charge: string; amount: Cents }>(OPEN_RECEIVABLES, [
    merchantId,
    environment,
  ]);
  return new Map(rows.map(({ charge, amount }) => [charge, amount]));
}

const LAST_CHANGE = `
  SELECT ${instantOf('w.changed_at')} AS recorded, ${instantOf('e.created_at')} AS computed
  FROM wallets w JOIN journal_entries e ON e.merchant_id = w.merchant_id AND e.environment = w.environment
    AND e.wallet_sequence = w.chain_sequence
  WHERE w.merchant_id = $1 AND w.environment = $2`;

/**
 * Returns the stored time of a wallet's last change and the time of its last entry. Returns undefined if the
 * wallet has no chain.
 */
export async function findLastChange(
  tx: Transaction,
  { merchantId, environment }: Tenant,
): Promise<{ recorded: Instant; computed: Instant } | undefined> {
  const keys = [merchantId, environment];
  const [times] = await tx.queryUnprepared<{ recorded: Instant; computed: Instant }>(LAST_CHANGE, keys);
  return times;
}
