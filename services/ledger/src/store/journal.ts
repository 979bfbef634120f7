import type { Transaction } from '@plataforma/chassis';
import { type Environment, newId } from '@plataforma/kernel';
import type { PostedEntry } from '../domain/books.ts';
import type { Entry } from '../domain/entry.ts';

interface EntryRow {
  id: string;
  kind: Entry['kind'];
  reference: string;
  merchant_id: string;
  environment: Environment;
  charge_id: string | null;
  occurred_at: Date;
  lines: Entry['lines'];
  [column: string]: unknown;
}

/** The lines as one value of their entry, so that an entry is one row. */
const SELECT_ENTRY = `
  SELECT e.id, e.kind, e.reference, e.merchant_id, e.environment, e.charge_id, e.occurred_at,
    (SELECT json_agg(json_build_object('account', account, 'amount', amount_cents) ORDER BY account)
     FROM journal_lines WHERE entry_id = e.id) AS lines
  FROM journal_entries e`;

const FIND = `${SELECT_ENTRY}
  JOIN unnest($1::text[], $2::uuid[]) AS wanted (kind, reference)
    ON wanted.kind = e.kind AND wanted.reference = e.reference`;

/** Those of the wanted entries that stand in the journal. */
export async function findEntries(
  tx: Transaction,
  wanted: readonly Pick<Entry, 'kind' | 'reference'>[],
): Promise<Entry[]> {
  if (wanted.length === 0) return [];
  const keys = [wanted.map(({ kind }) => kind), wanted.map(({ reference }) => reference)];
  return (await tx.queryUnprepared<EntryRow>(FIND, keys)).map(entryOf);
}

const APPEND_ENTRIES = `
  INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, charge_id, occurred_at)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[],
    $7::timestamptz[])`;

const APPEND_LINES = `
  INSERT INTO journal_lines (entry_id, account, amount_cents)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[])`;

const APPEND_ROWS = `
  INSERT INTO wallet_transactions
    (id, entry_id, merchant_id, environment, type, amount_cents, balance_after_cents, description,
     payment_method, charge_id, created_at)
  SELECT posted.*, clock_timestamp()
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
    $8::text[], $9::text[], $10::uuid[]) AS posted`;

/**
 * Writes entries with their lines and rows. The wallets of the rows are locked, and their time is the
 * clock's, not the transaction's: a transaction that began first may have got the lock last, and a statement
 * is read in the order in which balances followed. A fact that somebody else has just posted throws: tried
 * again, it is known.
 */
export async function appendEntries(tx: Transaction, entries: readonly PostedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const lines = entries.flatMap(({ id, lines: own }) => own.map((line) => ({ entryId: id, ...line })));
  const rows = entries.flatMap((entry) => entry.rows.map((row) => ({ id: newId(), entry, ...row })));
  await tx.query(APPEND_ENTRIES, [
    entries.map(({ id }) => id),
    entries.map(({ kind }) => kind),
    entries.map(({ reference }) => reference),
    entries.map(({ merchantId }) => merchantId),
    entries.map(({ environment }) => environment),
    entries.map(({ chargeId }) => chargeId),
    entries.map(({ occurredAt }) => occurredAt),
  ]);
  await tx.query(APPEND_LINES, [
    lines.map(({ entryId }) => entryId),
    lines.map(({ account }) => account),
    lines.map(({ amount }) => amount),
  ]);
  if (rows.length === 0) return;
  await tx.query(APPEND_ROWS, [
    rows.map(({ id }) => id),
    rows.map(({ entry }) => entry.id),
    rows.map(({ entry }) => entry.merchantId),
    rows.map(({ entry }) => entry.environment),
    rows.map(({ type }) => type),
    rows.map(({ amount }) => amount),
    rows.map(({ balanceAfter }) => balanceAfter),
    rows.map(({ description }) => description),
    rows.map(({ method }) => method),
    rows.map(({ chargeId }) => chargeId),
  ]);
}

function entryOf(row: EntryRow): Entry {
  return {
    id: row.id,
    kind: row.kind,
    reference: row.reference,
    merchantId: row.merchant_id,
    environment: row.environment,
    chargeId: row.charge_id,
    occurredAt: row.occurred_at.toISOString(),
    lines: row.lines,
  };
}
