import type { Transaction } from '@plataforma/data';
import type { Environment } from '@plataforma/kernel';
import type { PostedEntry } from '../domain/books.ts';
import type { Entry } from '../domain/entry.ts';

export interface EntryRow {
  id: string;
  kind: Entry['kind'];
  reference: string;
  merchant_id: string;
  environment: Environment;
  charge_id: string | null;
  occurred_at: Date;
  memo: string | null;
  lines: Entry['lines'];
}

const FIND = `
  SELECT wanted, is_refused, id, kind, reference, merchant_id, environment, charge_id, occurred_at, memo, lines
  FROM standing_facts($1, $2)`;

type FoundRow = { wanted: string; is_refused: boolean | null } & (EntryRow | { id: null });

/** Those of the wanted entries that stand in the journal, and the references of debits that were refused. */
export async function findStanding(
  tx: Transaction,
  wanted: readonly Pick<Entry, 'kind' | 'reference'>[],
): Promise<{ entries: Entry[]; refused: string[] }> {
  if (wanted.length === 0) return { entries: [], refused: [] };
  const keys = [wanted.map(({ kind }) => kind), wanted.map(({ reference }) => reference)];
  const rows = await tx.query<FoundRow>(FIND, keys);
  return {
    entries: rows.flatMap((row) => (row.id === null ? [] : entryOf(row))),
    refused: rows.filter((row) => row.is_refused).map((row) => row.wanted),
  };
}

const APPEND = `
  WITH entries AS (
    INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, charge_id, occurred_at, memo,
      wallet_sequence, previous_hash, hash, created_at, external_id, end_to_end_id)
    SELECT id, kind, reference, merchant_id, environment, charge_id, occurred_at, memo,
      sequence, decode(previous, 'hex'), decode(own, 'hex'), created_at, external_id, end_to_end_id
    FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::timestamptz[],
      $22::text[], $23::bigint[], $24::text[], $25::text[], $26::timestamptz[],
      $29::text[], $30::text[])
      AS posted (id, kind, reference, merchant_id, environment, charge_id, occurred_at, memo, sequence, previous, own,
        created_at, external_id, end_to_end_id)),
  lines AS (
    INSERT INTO journal_lines (entry_id, account, amount_cents)
    SELECT * FROM unnest($8::uuid[], $9::text[], $10::bigint[]))
  INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents, balance_after_cents,
    description, payment_method, charge_id, withdrawal_id, ordinal, created_at)
  SELECT * FROM unnest($11::uuid[], $12::uuid[], $13::uuid[], $14::text[], $15::text[], $16::bigint[], $17::bigint[],
    $18::text[], $19::text[], $20::uuid[], $21::uuid[], $27::bigint[], $28::timestamptz[])`;

/**
 * Writes entries with their lines and rows, in one statement; their wallets are locked. A fact that somebody else has
 * just posted throws: tried again, it is known.
 */
export async function appendEntries(tx: Transaction, entries: readonly PostedEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const lines = entries.flatMap(({ id, lines: own }) => own.map((line) => ({ entryId: id, ...line })));
  const rows = entries.flatMap((entry) => entry.rows.map((row) => ({ entry, ...row })));
  await tx.query(APPEND, [
    entries.map(({ id }) => id),
    entries.map(({ kind }) => kind),
    entries.map(({ reference }) => reference),
    entries.map(({ merchantId }) => merchantId),
    entries.map(({ environment }) => environment),
    entries.map(({ chargeId }) => chargeId),
    entries.map(({ occurredAt }) => occurredAt),
    lines.map(({ entryId }) => entryId),
    lines.map(({ account }) => account),
    lines.map(({ amount }) => amount),
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
    rows.map(({ withdrawalId }) => withdrawalId),
    entries.map(({ memo }) => memo),
    entries.map(({ link }) => link.sequence),
    entries.map(({ link }) => link.previousHash),
    entries.map(({ link }) => link.hash),
    entries.map(({ createdAt }) => createdAt),
    rows.map(({ ordinal }) => ordinal),
    rows.map(({ entry }) => entry.createdAt),
    entries.map(({ externalId }) => externalId),
    entries.map(({ endToEndId }) => endToEndId),
  ]);
}

export function entryOf(row: EntryRow): Entry {
  return {
    id: row.id,
    kind: row.kind,
    reference: row.reference,
    merchantId: row.merchant_id,
    environment: row.environment,
    chargeId: row.charge_id,
    occurredAt: row.occurred_at.toISOString(),
    memo: row.memo,
    lines: row.lines,
  };
}
