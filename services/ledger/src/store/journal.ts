import { arraysOf, isDuplicate, rowsFrom, type Transaction } from '@plataforma/data';
import type { Environment, Tenant } from '@plataforma/kernel';
import type { Books, PostedEntry } from '../domain/books.ts';
import type { Entry } from '../domain/entry.ts';
import type { Instant } from '../domain/posting.ts';
import type { Wallet } from '../domain/wallet.ts';
import { sealOfEntry } from './entry-seals.ts';
import { instantOf, WRITE_POSITIONS, type WritePositionRow, writePositionsOf } from './moments.ts';
import { savedWallets, savingWallets } from './wallets.ts';

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

/** `baseline.sql` defines the SQL function `standing_facts`. */
const FIND = `
  SELECT ${WRITE_POSITIONS} AS moments, (SELECT json_agg(found) FROM standing_facts($3,
  $4) AS found) AS facts,
    ${instantOf('clock_timestamp()')} AS now`;

interface Found {
  moments: WritePositionRow[] | null;
  facts: FoundRow[] | null;
  now: Instant;
}

type FoundRow = { wanted: string; is_refused: boolean | null } & (
  | (Omit<EntryRow, 'occurred_at'> & { occurred_at: string })
  | { id: null }
);

type ExistingEntries = Pick<Books, 'moments' | 'now'> & { entries: Entry[]; refused: string[] };

/**
 * Reads in one statement the existing entries, the refused debits, and the `WritePosition` of each wallet.
 * The caller must hold the row locks of the wallets.
 */
export async function findExistingEntries(
  tx: Transaction,
  tenants: readonly Tenant[],
  identities: readonly Pick<Entry, 'kind' | 'reference'>[],
): Promise<ExistingEntries> {
  const [found] = await tx.query<Found>(FIND, [
    tenants.map(({ merchantId }) => merchantId),
    tenants.map(({ environment }) => environment),
    identities.map(({ kind }) => kind),
    identities.map(({ reference }) => reference),
  ]);
  if (!found) throw new Error('a statement without conditions returns one row');
  const facts = found.facts ?? [];
  return {
    entries: facts.flatMap((row) =>
      row.id === null ? [] : entryOf({ ...row, occurred_at: new Date(row.occurred_at) }),
    ),
    refused: facts.filter((row) => row.is_refused).map((row) => row.wanted),
    moments: writePositionsOf(found.moments ?? []),
    now: found.now,
  };
}

const ENTRY = {
  ...{
    id: 'uuid',
    kind: 'text',
    reference: 'uuid',
    merchantId: 'uuid',
    environment: 'text',
    chargeId: 'uuid',
  },
  ...{ occurredAt: 'timestamptz', memo: 'text', sequence: 'bigint', previousHash: 'text', hash: 'text' },
  ...{ createdAt: 'timestamptz', externalId: 'text', endToEndId: 'text', orderedBy: 'text', seal: 'text' },
};
const LINE = { entryId: 'uuid', account: 'text', amount: 'bigint' };
const ROW = {
  ...{ id: 'uuid', entryId: 'uuid', merchantId: 'uuid', environment: 'text', type: 'text', amount: 'bigint' },
  ...{ balanceAfter: 'bigint', description: 'text', method: 'text', chargeId: 'uuid', withdrawalId: 'uuid' },
  ...{ ordinal: 'bigint', createdAt: 'timestamptz' },
};
const FIRST_LINE = 2 + Object.keys(ENTRY).length;
const FIRST_ROW = FIRST_LINE + Object.keys(LINE).length;

const APPEND = `
  WITH entries AS (
    INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, charge_id, occurred_at, memo,
      wallet_sequence, previous_hash, hash, created_at, external_id, end_to_end_id,
      ordered_by, seal)
    SELECT id, kind, reference, "merchantId", environment, "chargeId", "occurredAt", memo,
      sequence, decode("previousHash", 'hex'), decode(hash, 'hex'), "createdAt", "externalId", "endToEndId",
      "orderedBy", seal
    FROM ${rowsFrom(ENTRY, { name: 'posted', first: 2 })}),
  lines AS (
    INSERT INTO journal_lines (entry_id, account, amount_cents)
    SELECT * FROM ${rowsFrom(LINE, { name: 'line', first: FIRST_LINE })}),
  rows AS (
    INSERT INTO wallet_transactions (id, entry_id, merchant_id, environment, type, amount_cents,
    balance_after_cents,
      description, payment_method, charge_id, withdrawal_id, ordinal, created_at)
    SELECT * FROM ${rowsFrom(ROW, { name: 'statement_row', first: FIRST_ROW })})
  ${savingWallets('$1')}`;

/**
 * Writes entries, their lines and rows, and the changed wallets in one statement. Throws if another
 * transaction has just posted the same fact. A repeated attempt then finds that transaction's entry.
 */
export async function appendEntries(
  tx: Transaction,
  entries: readonly PostedEntry[],
  wallets: readonly (Wallet & { changedAt: Instant })[],
): Promise<void> {
  if (entries.length === 0) return;
  const posted = entries.map((entry) => ({ ...entry, ...entry.link, seal: sealOfEntry(tx, entry) }));
  const lines = entries.flatMap(({ id: entryId, lines: own }) => own.map((line) => ({ entryId, ...line })));
  const rows = entries.flatMap(({ id: entryId, merchantId, environment, createdAt, rows: own }) =>
    own.map((row) => ({ entryId, merchantId, environment, createdAt, ...row })),
  );
  const arrays = [arraysOf(posted, ENTRY), arraysOf(lines, LINE), arraysOf(rows, ROW)].flat();
  await tx.query(APPEND, [savedWallets(wallets), ...arrays]);
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

/**
 * Runs `attempt`, and runs it again after a duplicate fact. Two requests with the same reference but
 * different merchants lock different wallets, so the slower one can fail. Its second attempt finds the entry
 * of the faster one.
 */
export async function againIfDuplicate<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (isDuplicate(error, 'journal_entries_fact')) return attempt();
    throw error;
  }
}
