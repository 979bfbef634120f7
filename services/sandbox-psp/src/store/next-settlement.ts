import type { Queryable } from '@plataforma/data';

const NEXT = `
  SELECT extract(epoch FROM least(
    (SELECT due_at FROM refunds WHERE status = 'EM_PROCESSAMENTO' ORDER BY due_at LIMIT 1),
    (SELECT due_at FROM payouts WHERE status = 'EM_PROCESSAMENTO' ORDER BY due_at LIMIT 1),
    (SELECT due_at FROM card_charges WHERE status = 'processing' ORDER BY due_at LIMIT 1)
  ) - now())::float8 * 1000 AS ms`;

/**
 * Returns the milliseconds until the next refund, payout or card charge is due to end; undefined if none is
 * in progress.
 */
export async function nextSettlementIn(db: Queryable): Promise<number | undefined> {
  const [row] = await db.queryUnprepared<{ ms: number | null }>(NEXT, []);
  return row?.ms ?? undefined;
}
