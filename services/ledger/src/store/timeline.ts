import type { Queryable } from '@plataforma/data';
import { TIMELINE_LIMIT } from '@plataforma/tables';
import type { Account } from '../domain/account.ts';
import type { Kind } from '../domain/fact.ts';

/**
 * The kinds of facts whose reference is the id of a charge, withdrawal, refund, dispute or unmatched payment.
 */
const KINDS = [
  'charge_paid',
  'receivable_due',
  'refund',
  'refund_refused',
  'dispute_opened',
  'dispute_won',
  'dispute_lost',
  'withdrawal_created',
  'withdrawal_completed',
  'withdrawal_returned',
  'unexpected_payment_received',
  'unexpected_payment_returned',
] as const satisfies Kind[];

/**
 * OFFSET 0 makes PostgreSQL read each entry by the index on kind and reference. Refunds and lost disputes are
 * also found by the charge's id, because the charges service may be down and not send their ids.
 */
const ENTRIES = `
  WITH told AS (
    SELECT e.id FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN unnest($2::text[]) AS known (kind)
    JOIN LATERAL (SELECT id FROM journal_entries
      WHERE kind = known.kind AND reference = wanted.id OFFSET 0) e ON true
    UNION
    SELECT e.id FROM unnest($1::uuid[]) AS wanted (id)
    JOIN LATERAL (SELECT id FROM journal_entries
      WHERE charge_id = wanted.id AND kind IN ('refund', 'refund_refused', 'dispute_lost') OFFSET 0) e
      ON true),
  every AS (
    SELECT id FROM told
    UNION
    SELECT e.id FROM told JOIN LATERAL (SELECT id FROM journal_entries
      WHERE kind = 'debt_collected' AND reference = told.id OFFSET 0) e ON true)
  SELECT e.id, e.kind, e.reference, e.occurred_at AS "occurredAt", e.created_at AS "postedAt",
    (SELECT json_agg(json_build_object('account', account, 'amount', amount_cents) ORDER BY account)
      FROM journal_lines WHERE entry_id = e.id) AS lines,
    (SELECT json_agg(json_build_object('id', id, 'type', type, 'amount', amount_cents,
        'balanceAfter', balance_after_cents) ORDER BY ordinal)
      FROM wallet_transactions WHERE entry_id = e.id) AS transactions
  FROM every JOIN LATERAL (SELECT * FROM journal_entries WHERE id = every.id OFFSET 0) e ON true
  ORDER BY e.created_at DESC, e.id DESC LIMIT $3`;

interface PostedEntry {
  id: string;
  kind: string;
  reference: string;
  occurredAt: Date;
  postedAt: Date;
  lines: { account: Account; amount: number }[];
  /** The rows that the entry added to the merchant's statement, or null. */
  transactions: { id: string; type: string; amount: number; balanceAfter: number }[] | null;
}

/**
 * Lists the entries of a charge or a withdrawal, the oldest first. `ids` contains the id of this object and
 * the ids of its refunds and disputes.
 */
export async function entriesAbout(db: Queryable, ids: readonly string[]): Promise<PostedEntry[]> {
  return (await db.queryUnprepared<PostedEntry>(ENTRIES, [ids, KINDS, TIMELINE_LIMIT])).reverse();
}

const LEDGER_STATUS = `
  SELECT
    (SELECT json_build_object('remaining', remaining_cents, 'settlesAt', settles_at)
      FROM receivables WHERE charge_id = $2) AS receivable,
    ARRAY(SELECT id FROM debit_answers WHERE id = ANY ($1::uuid[]) AND is_refused) AS "refusedDebits"`;

type LedgerStatus = {
  receivable: { remaining: number; settlesAt: string } | null;
  refusedDebits: string[];
};

/** Returns a charge's receivable and the debits that were finally refused. Returns null if neither exists. */
export async function findLedgerStatus(db: Queryable, ids: readonly string[]): Promise<LedgerStatus | null> {
  const [status] = await db.queryUnprepared<LedgerStatus>(LEDGER_STATUS, [ids, ids[0]]);
  return status?.receivable || status?.refusedDebits.length ? status : null;
}

const OWNER = `
  SELECT coalesce(charge_id, withdrawal_id) AS id FROM wallet_transactions WHERE id = $1
  UNION ALL SELECT coalesce(charge_id, reference) FROM journal_entries WHERE id = $1
  LIMIT 1`;

/** Returns the id of the charge, withdrawal or other subject that the given row or entry is about. */
export async function ownerOf(db: Queryable, id: string): Promise<string | null> {
  const [owner] = await db.query<{ id: string | null }>(OWNER, [id]);
  return owner?.id ?? null;
}
