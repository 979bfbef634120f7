import type { Queryable } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import { externalIdIn, type NamedTransaction } from '../domain/statement.ts';
import type { TransactionRow } from './wallet-rows.ts';

/** Each entry is looked up by itself (OFFSET 0): joined freely, a page may have the whole journal read. */
const FIND = `
  SELECT t.ordinal, own.occurred_at AS "occurredAt",
    coalesce(paid.external_id, created.external_id) AS "externalId",
    coalesce(paid.end_to_end_id, completed.end_to_end_id) AS "endToEndId",
    CASE WHEN own.kind = 'charge_paid' THEN coalesce(receivable.settles_at, own.occurred_at) END AS "settlesAt"
  FROM unnest($3::bigint[]) AS wanted (ordinal)
  JOIN LATERAL (SELECT ordinal, entry_id, charge_id, withdrawal_id FROM wallet_transactions
    WHERE merchant_id = $1 AND environment = $2 AND ordinal = wanted.ordinal OFFSET 0) AS t ON true
  JOIN LATERAL (SELECT kind, occurred_at FROM journal_entries WHERE id = t.entry_id OFFSET 0) AS own ON true
  LEFT JOIN LATERAL (SELECT external_id, end_to_end_id FROM journal_entries
    WHERE kind = 'charge_paid' AND reference = t.charge_id OFFSET 0) AS paid ON true
  LEFT JOIN LATERAL (SELECT settles_at FROM receivables WHERE charge_id = t.charge_id OFFSET 0) AS receivable ON true
  LEFT JOIN LATERAL (SELECT external_id FROM journal_entries
    WHERE kind = 'withdrawal_created' AND reference = t.withdrawal_id OFFSET 0) AS created ON true
  LEFT JOIN LATERAL (SELECT end_to_end_id FROM journal_entries
    WHERE kind = 'withdrawal_completed' AND reference = t.withdrawal_id OFFSET 0) AS completed ON true`;

interface NamesRow extends Pick<NamedTransaction, 'occurredAt' | 'externalId' | 'endToEndId' | 'settlesAt'> {
  ordinal: number;
  [column: string]: unknown;
}

export type NamedRow = NamedTransaction & { ordinal: number };

/** Rows of a wallet with the names that their entries, and those of their charge or withdrawal, have. */
export async function withNames(
  db: Queryable,
  { merchantId, environment }: Tenant,
  rows: readonly TransactionRow[],
): Promise<NamedRow[]> {
  if (rows.length === 0) return [];
  const keys = [merchantId, environment, rows.map(({ ordinal }) => ordinal)];
  const found = await db.queryUnprepared<NamesRow>(FIND, keys);
  const names = new Map(found.map((row) => [row.ordinal, row]));
  return rows.map((row) => {
    const { occurredAt, externalId, endToEndId, settlesAt } = names.get(row.ordinal) ?? unnamed(row);
    return { ...row, occurredAt, externalId: externalId ?? externalIdIn(row), endToEndId, settlesAt };
  });
}

function unnamed({ ordinal }: TransactionRow): never {
  throw new Error(`row ${ordinal} of a wallet has no entry`);
}
