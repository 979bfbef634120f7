import type { Transaction } from '@plataforma/chassis';
import type { Cents, Tenant } from '@plataforma/kernel';
import type { Fold } from '../domain/wallet-fold.ts';

/** Entries a statement: each ends long before it would time out, however many there are. */
const PORTION = 100_000;

/** Entries that touch the wallet; those of before the chain are in the first portion. */
const OF_PORTION = `
  e.merchant_id = $1 AND e.environment = $2
  AND (e.wallet_sequence > $3::bigint AND e.wallet_sequence <= $3::bigint + ${PORTION}
    OR $3::bigint = 0 AND e.wallet_sequence IS NULL
      AND e.kind NOT IN ('unexpected_payment_received', 'unexpected_payment_returned'))`;

const LINES = `
  SELECT e.kind, l.account, sum(l.amount_cents)::bigint AS amount
  FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id WHERE ${OF_PORTION} GROUP BY 1, 2`;

const PENDING = `
  SELECT e.charge_id AS charge, sum(l.amount_cents)::bigint AS amount
  FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id
  WHERE l.account LIKE 'pending:%' AND ${OF_PORTION} GROUP BY 1 HAVING sum(l.amount_cents) <> 0`;

const ROWS = `
  SELECT type, sum(amount_cents)::bigint AS amount FROM wallet_transactions
  WHERE merchant_id = $1 AND environment = $2 GROUP BY 1`;

const LAST = `
  SELECT coalesce(max(wallet_sequence), 0) AS sequence,
    (SELECT t.balance_after_cents FROM journal_entries e
     JOIN wallet_transactions t ON t.entry_id = e.id
     WHERE e.merchant_id = $1 AND e.environment = $2 AND e.wallet_sequence IS NOT NULL
     ORDER BY e.wallet_sequence DESC, t.id DESC LIMIT 1) AS balance
  FROM journal_entries WHERE merchant_id = $1 AND environment = $2`;

/** Adds up all entries of a wallet. In a snapshot, so that all statements see the same of them. */
export async function foldWallet(tx: Transaction, { merchantId, environment }: Tenant): Promise<Fold> {
  const keys = [merchantId, environment];
  const [last] = await tx.queryUnprepared<{ sequence: number; balance: Cents | null }>(LAST, keys);
  const lastSequence = last?.sequence ?? 0;
  const rows = await tx.queryUnprepared<Fold['rows'][number]>(ROWS, keys);
  const fold: Fold = {
    lines: [],
    rows,
    pending: new Map(),
    lastSequence,
    lastBalance: last?.balance ?? null,
  };
  for (let from = 0; from === 0 || from < lastSequence; from += PORTION) {
    fold.lines.push(...(await tx.queryUnprepared<Fold['lines'][number]>(LINES, [...keys, from])));
    const pending = await tx.queryUnprepared<{ charge: string; amount: Cents }>(PENDING, [...keys, from]);
    for (const { charge, amount } of pending) addPending(fold.pending, charge, amount);
  }
  return fold;
}

/** What is settled is forgotten: only as many are kept as are open at one time. */
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

const UNBALANCED = `
  SELECT e.id, coalesce(sum(l.amount_cents), 0)::bigint AS sum
  FROM journal_entries e LEFT JOIN journal_lines l ON l.entry_id = e.id
  WHERE e.merchant_id = $1 AND e.environment = $2 AND e.is_before_chain
  GROUP BY e.id HAVING coalesce(sum(l.amount_cents), 1) <> 0`;

/** Entries of before the chain whose lines are none, or do not add up to zero. */
export async function findUnbalanced(
  tx: Transaction,
  { merchantId, environment }: Tenant,
): Promise<{ id: string; sum: Cents }[]> {
  return tx.queryUnprepared<{ id: string; sum: Cents }>(UNBALANCED, [merchantId, environment]);
}
