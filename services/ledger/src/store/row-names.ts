import { jsonRecords, type Queryable, type Transaction } from '@plataforma/data';
import {
  externalIdIn,
  type NamedTransaction,
  type SubjectNames,
  type WalletTransaction,
} from '../domain/statement.ts';

/**
 * Finds the rows' entries, and the entries that contain the names of the rows' charges and withdrawals,
 * without duplicates.
 */
const FIND = `
  SELECT entry.id, entry.kind, entry.reference, entry.occurred_at AS "occurredAt",
    entry.external_id AS "externalId", entry.end_to_end_id AS "endToEndId",
    receivable.settles_at AS "settlesAt",
    ended.outcome AS "disputeOutcome", ended.occurred_at AS "endedAt",
    named.end_to_end_id AS "returnEndToEndId", named.nsu,
    named.authorization_code AS "authorizationCode", named.person_name AS "personName"
  FROM journal_entries AS entry
  LEFT JOIN LATERAL (SELECT settles_at FROM receivables
    WHERE entry.kind = 'charge_paid' AND charge_id = entry.reference OFFSET 0) AS receivable ON true
  LEFT JOIN LATERAL (SELECT occurred_at, CASE WHEN kind = 'dispute_lost' THEN 'LOST'
      -- Only the description distinguishes a cancelled dispute from a won one.
      WHEN EXISTS (SELECT FROM wallet_transactions
        WHERE entry_id = journal_entries.id AND description LIKE '% cancelled dispute %') THEN 'CANCELLED'
      ELSE 'WON' END AS outcome
    FROM journal_entries
    WHERE entry.kind IN ('dispute_opened', 'dispute_won') AND reference = entry.reference
      AND kind IN ('dispute_won', 'dispute_lost') OFFSET 0) AS ended ON true
  LEFT JOIN LATERAL (SELECT * FROM row_names WHERE subject_id = entry.reference OFFSET 0) AS named ON true
  WHERE entry.id = ANY ($1::uuid[])
    OR (entry.kind = 'charge_paid' AND entry.reference = ANY ($2::uuid[]))
    OR (entry.kind IN ('withdrawal_created', 'withdrawal_completed') AND entry.reference = ANY ($3::uuid[]))`;

interface NamingEntry {
  id: string;
  kind: string;
  reference: string;
  occurredAt: Date;
  externalId: string | null;
  endToEndId: string | null;
  returnEndToEndId: string | null;
  nsu: string | null;
  authorizationCode: string | null;
  personName: string | null;
  settlesAt: Date | null;
  /** The result of the entry's dispute. Null until the dispute is decided. */
  disputeOutcome: NamedTransaction['disputeOutcome'];
  endedAt: Date | null;
}

/**
 * Adds ids, names of payers and payees, and results of disputes to statement rows. The data comes from each
 * row's own entry and from the entries of its charge or withdrawal.
 */
export async function withNames<Row extends WalletTransaction & { entryId: string }>(
  db: Queryable,
  rows: readonly Row[],
): Promise<(Row & NamedTransaction)[]> {
  if (rows.length === 0) return [];
  const keys = [
    distinct(rows.map(({ entryId }) => entryId)),
    distinct(rows.map(({ chargeId }) => chargeId)),
    distinct(rows.map(({ withdrawalId }) => withdrawalId)),
  ];
  const entries = await db.queryUnprepared<NamingEntry>(FIND, keys);
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const byFact = new Map(entries.map((entry) => [`${entry.kind} ${entry.reference}`, entry]));
  return rows.map((row) => {
    const own = byId.get(row.entryId) ?? unnamed(row);
    const paid = byFact.get(`charge_paid ${row.chargeId}`);
    const created = byFact.get(`withdrawal_created ${row.withdrawalId}`);
    const completed = byFact.get(`withdrawal_completed ${row.withdrawalId}`);
    return {
      ...row,
      entryKind: own.kind,
      occurredAt: own.occurredAt,
      externalId: paid?.externalId ?? created?.externalId ?? externalIdIn(row),
      ...bankIdsOf(own, paid, completed),
      payerName: paid?.personName ?? null,
      payeeName: created?.personName ?? null,
      settlesAt: own.kind === 'charge_paid' ? (own.settlesAt ?? own.occurredAt) : null,
      disputeId: own.kind.startsWith('dispute_') ? own.reference : null,
      disputeOutcome: own.disputeOutcome,
      disputeResolvedAt: own.endedAt,
    };
  });
}

export type ChargeNames = Pick<NamedTransaction, 'externalId' | 'nsu' | 'authorizationCode'>;

export async function findChargeNames(
  db: Queryable,
  chargeIds: readonly string[],
): Promise<Map<string, ChargeNames>> {
  const entries = await db.queryUnprepared<NamingEntry>(FIND, [[], chargeIds, []]);
  return new Map(
    entries.map(({ reference, externalId, nsu, authorizationCode }) => [
      reference,
      { externalId, nsu, authorizationCode },
    ]),
  );
}

/**
 * Returns a row's ids at the bank. The row of a refund gets the end-to-end id of the Pix that returned the
 * money, never that of the payment.
 */
function bankIdsOf(own: NamingEntry, paid?: NamingEntry, completed?: NamingEntry) {
  const { nsu = null, authorizationCode = null } = paid ?? {};
  const { kind, reference: refundId, returnEndToEndId: endToEndId } = own;
  if (kind === 'refund' || kind === 'refund_refused') return { refundId, endToEndId, nsu, authorizationCode };
  const paidBy = paid?.endToEndId ?? completed?.endToEndId ?? null;
  return { refundId: null, endToEndId: paidBy, nsu, authorizationCode };
}

const SAVE = `
  INSERT INTO row_names (subject_id, end_to_end_id, nsu, authorization_code, person_name)
  SELECT * FROM jsonb_to_recordset($1) AS named ("subjectId" uuid, "endToEndId" text, nsu text,
    "authorizationCode" text, "personName" text)
  ON CONFLICT (subject_id) DO NOTHING`;

/** Saves the names of subjects, even before their rows are posted. Later names do not replace saved ones. */
export async function saveNames(tx: Transaction, names: readonly SubjectNames[]): Promise<void> {
  if (names.length > 0) await tx.query(SAVE, [jsonRecords(names)]);
}

function distinct(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== null);
}

function unnamed({ id }: { id: string }): never {
  throw new Error(`row ${id} of a wallet has no entry`);
}
