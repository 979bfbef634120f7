import type { Database } from '@plataforma/chassis';

const pockets = ['available', 'pending', 'reserved', 'blocked'];
const methods = ['PIX', 'CARD', 'BOLETO'];
const columnOf = (pocket: string, method: string) => `${pocket}_${method.toLowerCase()}_cents`;
const sumOf = (pocket: string) => methods.map((method) => `w.${columnOf(pocket, method)}`).join(' + ');

/** Each finds what must not be: a row it answers is a broken promise. */
const violations: Record<string, string> = {
  'an entry whose lines do not add up to zero': `
    SELECT e.id FROM journal_entries e LEFT JOIN journal_lines l ON l.entry_id = e.id
    GROUP BY e.id HAVING coalesce(sum(l.amount_cents), 1) <> 0`,
  'books that do not add up to zero': `
    SELECT sum(amount_cents) FROM journal_lines HAVING sum(amount_cents) <> 0`,
  'a wallet that is not the fold of its lines': `
    WITH folded AS (
      SELECT e.merchant_id, e.environment, l.account, sum(l.amount_cents) AS total
      FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id
      WHERE split_part(l.account, ':', 1) IN (${pockets.map((pocket) => `'${pocket}'`).join()})
      GROUP BY 1, 2, 3),
    held AS (
      SELECT w.merchant_id, w.environment, pocket.account, pocket.total FROM wallets w, LATERAL (VALUES
        ${pockets.flatMap((pocket) => methods.map((method) => `('${pocket}:${method}', w.${columnOf(pocket, method)})`)).join()}
      ) AS pocket (account, total))
    SELECT * FROM held FULL JOIN folded USING (merchant_id, environment, account)
    WHERE coalesce(held.total, 0) <> coalesce(folded.total, 0)`,
  'rows that do not add up to available + pending - dispute debt': `
    SELECT w.merchant_id FROM wallets w LEFT JOIN wallet_transactions t USING (merchant_id, environment)
    GROUP BY w.merchant_id, w.environment
    HAVING coalesce(sum(t.amount_cents), 0) <> ${sumOf('available')} + ${sumOf('pending')} - w.dispute_debt_cents`,
  'a balanceAfter that does not follow the one before': `
    SELECT id FROM (
      SELECT id, amount_cents, balance_after_cents,
        lag(balance_after_cents, 1, 0::bigint) OVER (
          PARTITION BY merchant_id, environment ORDER BY created_at, id) AS before_cents
      FROM wallet_transactions) AS chain
    WHERE balance_after_cents <> before_cents + amount_cents`,
  'a total that is not that of its rows': `
    SELECT w.merchant_id FROM wallets w LEFT JOIN wallet_transactions t USING (merchant_id, environment)
    GROUP BY w.merchant_id, w.environment
    HAVING w.total_fees_paid_cents <> coalesce(-sum(t.amount_cents) FILTER (WHERE t.type = 'FEE'), 0)
      OR w.total_earned_cents <> coalesce(sum(t.amount_cents) FILTER (WHERE t.type = 'CREDIT'), 0)`,
  'a row of one merchant or environment under an entry of another': `
    SELECT t.id FROM wallet_transactions t JOIN journal_entries e ON e.id = t.entry_id
    WHERE (t.merchant_id, t.environment) IS DISTINCT FROM (e.merchant_id, e.environment)`,
};

/** The names of the promises that the books break; empty while all is well. */
export async function brokenPromises(database: Database): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, query] of Object.entries(violations)) {
    const rows = await database.query(query);
    if (rows.length > 0) broken.push(`${name}: ${JSON.stringify(rows[0])}`);
  }
  return broken;
}

/** How many charges stand in the journal. */
export async function entryCount(database: Database): Promise<number> {
  const [row] = await database.query<{ total: number }>('SELECT count(*) AS total FROM journal_entries');
  return row?.total ?? 0;
}
