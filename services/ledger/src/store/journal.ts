import type { Transaction } from '@plataforma/chassis';
import type { Tenant } from '@plataforma/kernel';
import type { Fact, Line, PostedRow } from '../domain/posting.ts';

export type NewLine = Line & { entryId: string };
export type NewRow = PostedRow & { id: string; entryId: string; tenant: Tenant };

const APPEND_ENTRIES = `
  INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, occurred_at)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[])
  ON CONFLICT ON CONSTRAINT journal_entries_fact DO NOTHING
  RETURNING id`;

/** The ids of those entries that are new; the others stand in the journal already. */
export async function appendEntries(
  tx: Transaction,
  entries: readonly { id: string; fact: Fact }[],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(APPEND_ENTRIES, [
    entries.map(({ id }) => id),
    entries.map(({ fact }) => fact.kind),
    entries.map(({ fact }) => fact.reference),
    entries.map(({ fact }) => fact.merchantId),
    entries.map(({ fact }) => fact.environment),
    entries.map(({ fact }) => fact.occurredAt),
  ]);
  return new Set(rows.map(({ id }) => id));
}

const APPEND_LINES = `
  INSERT INTO journal_lines (entry_id, account, amount_cents)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[])`;

export async function appendLines(tx: Transaction, lines: readonly NewLine[]): Promise<void> {
  await tx.query(APPEND_LINES, [
    lines.map(({ entryId }) => entryId),
    lines.map(({ account }) => account),
    lines.map(({ amount }) => amount),
  ]);
}

const APPEND_ROWS = `
  INSERT INTO wallet_transactions
    (id, entry_id, merchant_id, environment, type, amount_cents, balance_after_cents, description, payment_method,
     charge_id, created_at)
  SELECT posted.*, clock_timestamp()
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
    $8::text[], $9::text[], $10::uuid[]) AS posted`;

/**
 * Appends the rows of wallets that are locked. Their time is the clock's, not the transaction's: a transaction that
 * began first may have got the lock last, and a statement is read in the order in which balances followed.
 */
export async function appendRows(tx: Transaction, rows: readonly NewRow[]): Promise<void> {
  await tx.query(APPEND_ROWS, [
    rows.map(({ id }) => id),
    rows.map(({ entryId }) => entryId),
    rows.map(({ tenant }) => tenant.merchantId),
    rows.map(({ tenant }) => tenant.environment),
    rows.map(({ type }) => type),
    rows.map(({ amount }) => amount),
    rows.map(({ balanceAfter }) => balanceAfter),
    rows.map(({ description }) => description),
    rows.map(({ method }) => method),
    rows.map(({ chargeId }) => chargeId),
  ]);
}
