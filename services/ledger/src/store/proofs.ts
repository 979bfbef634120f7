import type { Queryable } from '@plataforma/data';
import type { Cents, Tenant } from '@plataforma/kernel';
import type { Line } from '../domain/account.ts';

const BEFORE_CHAIN = `
  SELECT l.account, sum(l.amount_cents)::bigint AS amount
  FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id
  WHERE e.merchant_id = $1 AND e.environment = $2 AND e.wallet_sequence IS NULL AND e.is_before_chain
    AND e.kind NOT IN ('unexpected_payment_received', 'unexpected_payment_returned')
  GROUP BY 1`;

/** Sums the lines of the wallet's entries from before the ledger had chains. */
export async function sumBeforeChain(
  db: Queryable,
  { merchantId, environment }: Tenant,
): Promise<Pick<Line, 'account' | 'amount'>[]> {
  return db.queryUnprepared<Line>(BEFORE_CHAIN, [merchantId, environment]);
}

const DEBIT = `
  SELECT coalesce(e.wallet_sequence, 0) AS sequence,
    (SELECT json_agg(json_build_object('account', account, 'amount', amount_cents))
     FROM journal_lines WHERE entry_id = e.id) AS lines,
    EXISTS (SELECT FROM journal_entries back WHERE back.kind = 'withdrawal_returned'
    AND back.reference = $1) AS returned
  FROM journal_entries e
  WHERE e.kind = 'withdrawal_created' AND e.reference = $1 AND e.merchant_id = $2 AND e.environment = $3`;

/**
 * Finds a withdrawal's debit and its sequence number in this wallet. Returns null if no debit exists or if it
 * was returned.
 */
export async function findDebit(
  db: Queryable,
  { merchantId, environment }: Tenant,
  withdrawalId: string,
): Promise<{ sequence: number; lines: Line[] } | null> {
  const keys = [withdrawalId, merchantId, environment];
  const [row] = await db.query<{ sequence: number; lines: Line[] | null; returned: boolean }>(DEBIT, keys);
  return row && !row.returned ? { sequence: row.sequence, lines: row.lines ?? [] } : null;
}

export interface Debit {
  sequence: number;
  amount: Cents;
}
