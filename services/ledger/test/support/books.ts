import { afterEach, expect } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { worldOfFile } from '@plataforma/testing/world';
import type { World } from './world.ts';

const pockets = ['available', 'pending', 'reserved', 'blocked'];
const methods = ['PIX', 'CARD', 'BOLETO'];
const columnOf = (pocket: string, method: string) => `${pocket}_${method.toLowerCase()}_cents`;
const sumOf = (pocket: string) => methods.map((method) => `w.${columnOf(pocket, method)}`).join(' + ');

/**
 * Returns SQL rows for a pocket such as `available`: for each payment method, the name of the account and the
 * wallet's column.
 */
const rowsOfPocket = (pocket: string) =>
  methods.map((method) => `('${pocket}:${method}', w.${columnOf(pocket, method)})`);

const violations: Record<string, string> = {
  'an entry whose lines do not add up to zero': `
    SELECT e.id FROM journal_entries e LEFT JOIN journal_lines l ON l.entry_id = e.id
    GROUP BY e.id HAVING coalesce(sum(l.amount_cents), 1) <> 0`,
  'books that do not add up to zero': `
    SELECT sum(amount_cents) FROM journal_lines HAVING sum(amount_cents) <> 0`,
  'a wallet that differs from the sum of its lines': `
    WITH folded AS (
      SELECT e.merchant_id, e.environment, l.account, sum(l.amount_cents) AS total
      FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id
      WHERE split_part(l.account, ':', 1)
        IN (${pockets.map((pocket) => `'${pocket}'`).join()}, 'dispute_debt')
      GROUP BY 1, 2, 3),
    held AS (
      SELECT w.merchant_id, w.environment, pocket.account, pocket.total FROM wallets w, LATERAL (VALUES
        ${pockets.flatMap(rowsOfPocket).join()},
        ('dispute_debt', -w.dispute_debt_cents)
      ) AS pocket (account, total))
    SELECT * FROM held FULL JOIN folded USING (merchant_id, environment, account)
    WHERE coalesce(held.total, 0) <> coalesce(folded.total, 0)`,
  'a receivable that differs from the pending amount of its charge': `
    WITH folded AS (
      SELECT e.charge_id, e.merchant_id, e.environment, sum(l.amount_cents) AS total
      FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id
      WHERE l.account LIKE 'pending:%' GROUP BY 1, 2, 3)
    SELECT * FROM receivables r FULL JOIN folded USING (charge_id, merchant_id, environment)
    WHERE coalesce(r.remaining_cents, -1) <> coalesce(folded.total, -1)`,
  'a collectable debt that differs from the cost of lost disputes less the collections': `
    WITH folded AS (
      SELECT e.merchant_id, e.environment, -sum(l.amount_cents) AS total
      FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id
      WHERE (e.kind, l.account) IN (('dispute_lost', 'dispute_exposure'), ('debt_collected', 'dispute_debt'))
      GROUP BY 1, 2)
    SELECT * FROM wallets w LEFT JOIN folded USING (merchant_id, environment)
    WHERE w.collectable_debt_cents <> coalesce(folded.total, 0)`,
  'a collectable debt in a wallet with available money': `
    SELECT w.merchant_id FROM wallets w WHERE w.collectable_debt_cents > 0 AND ${sumOf('available')} > 0`,
  'a reserve or exposure that differs from the open disputes': `
    WITH open_disputes AS (
      SELECT o.id, o.merchant_id, o.environment FROM journal_entries o WHERE o.kind = 'dispute_opened'
        AND NOT EXISTS (SELECT 1 FROM journal_entries e
          WHERE e.reference = o.reference AND e.kind IN ('dispute_won', 'dispute_lost'))),
    held AS (
      SELECT d.merchant_id, d.environment,
        sum(l.amount_cents) FILTER (WHERE l.account LIKE 'reserved:%') AS reserved,
        sum(l.amount_cents) FILTER (WHERE l.account = 'dispute_exposure') AS exposed
      FROM open_disputes d JOIN journal_lines l ON l.entry_id = d.id GROUP BY 1, 2)
    SELECT w.merchant_id FROM wallets w LEFT JOIN held USING (merchant_id, environment)
    WHERE ${sumOf('reserved')} <> coalesce(held.reserved, 0)
      OR w.dispute_debt_cents - w.collectable_debt_cents <> coalesce(held.exposed, 0)`,
  'an answer without its first fact, or a dispute or withdrawal with two ends': `
    SELECT e.id FROM journal_entries e LEFT JOIN journal_entries f ON f.reference = e.reference AND f.kind =
      CASE WHEN e.kind = 'refund_refused' THEN 'refund'
      WHEN e.kind LIKE 'withdrawal_%' THEN 'withdrawal_created'
        WHEN e.kind LIKE 'dispute_%' THEN 'dispute_opened' ELSE 'unexpected_payment_received' END
    WHERE e.kind IN ('refund_refused', 'unexpected_payment_returned', 'dispute_won', 'dispute_lost',
        'withdrawal_completed', 'withdrawal_returned')
      AND (f.id IS NULL OR EXISTS (SELECT 1 FROM journal_entries w WHERE w.reference = e.reference
        AND (e.kind, w.kind) IN (('dispute_lost', 'dispute_won'), ('withdrawal_completed',
        'withdrawal_returned'))))`,
  // Count `pending` as `available`. If pending money becomes due before the reversal, the reversal returns it
  // as available money.
  'a refusal, return or won dispute that does not reverse its first fact': `
    SELECT e.id FROM journal_entries e JOIN journal_entries f ON f.reference = e.reference
      AND (e.kind, f.kind) IN (('refund_refused', 'refund'), ('withdrawal_returned', 'withdrawal_created'),
        ('dispute_won', 'dispute_opened'))
    JOIN journal_lines l ON l.entry_id IN (e.id, f.id)
    GROUP BY e.id, replace(l.account, 'pending', 'available') HAVING sum(l.amount_cents) <> 0`,
  'payouts that differ from the open withdrawals': `
    SELECT e.reference FROM journal_entries e LEFT JOIN journal_lines l
      ON l.entry_id = e.id AND l.account = 'payouts'
    WHERE e.kind LIKE 'withdrawal_%' GROUP BY e.reference
    HAVING coalesce(sum(l.amount_cents), 0) <> coalesce(sum(l.amount_cents)
    FILTER (WHERE e.kind = 'withdrawal_created'
      AND NOT EXISTS (SELECT 1 FROM journal_entries w WHERE w.reference = e.reference
        AND w.kind IN ('withdrawal_completed', 'withdrawal_returned'))), 0)`,
  'a posted debit with a final refusal': `
    SELECT e.reference FROM journal_entries e JOIN debit_answers a ON a.id = e.reference AND a.is_refused
    WHERE e.kind IN ('refund', 'withdrawal_created')`,
  'unexpected payments that differ from the suspense account': `
    SELECT reference FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id
    WHERE l.account = 'suspense' GROUP BY reference HAVING sum(l.amount_cents) < 0
    UNION ALL SELECT e.reference FROM journal_entries e JOIN wallet_transactions t ON t.entry_id = e.id
    WHERE e.kind LIKE 'unexpected_payment_%'`,
  'rows that do not add up to available + pending - dispute debt': `
    SELECT w.merchant_id FROM wallets w LEFT JOIN wallet_transactions t USING (merchant_id, environment)
    GROUP BY w.merchant_id, w.environment
    HAVING coalesce(sum(t.amount_cents), 0) <> ${sumOf('available')} + ${sumOf('pending')} -
    w.dispute_debt_cents`,
  'a balanceAfter that does not follow the previous row': `
    SELECT id FROM (
      SELECT id, amount_cents, balance_after_cents,
        lag(balance_after_cents, 1, 0::bigint) OVER (
          PARTITION BY merchant_id, environment ORDER BY created_at, id) AS before_cents
      FROM wallet_transactions) AS chain
    WHERE balance_after_cents <> before_cents + amount_cents`,
  'a total that differs from its rows': `
    SELECT w.merchant_id FROM wallets w LEFT JOIN wallet_transactions t USING (merchant_id, environment)
    GROUP BY w.merchant_id, w.environment
    HAVING w.total_fees_paid_cents <> coalesce(-sum(t.amount_cents) FILTER (WHERE t.type = 'FEE'), 0)
      OR w.total_withdrawn_cents <> coalesce(-sum(t.amount_cents) FILTER (WHERE t.type = 'WITHDRAWAL'), 0)
      OR w.total_earned_cents <> coalesce(sum(t.amount_cents) FILTER (WHERE t.type = 'CREDIT'
      AND t.charge_id IS NOT NULL), 0)`,
  'an entry without a valid hash, or a link that does not follow the previous link': `
    SELECT id FROM (
      SELECT id, hash, wallet_sequence, previous_hash, lag(hash) OVER chain AS before_hash,
        row_number() OVER chain AS place
      FROM journal_entries WHERE wallet_sequence IS NOT NULL
      WINDOW chain AS (PARTITION BY merchant_id, environment ORDER BY wallet_sequence)) AS linked
    WHERE wallet_sequence <> place OR previous_hash IS DISTINCT FROM before_hash
    UNION ALL SELECT id FROM journal_entries
    WHERE hash IS NULL OR (wallet_sequence IS NULL) <> (kind LIKE 'unexpected_payment_%')`,
  'a wallet whose last entry is not the end of its chain': `
    SELECT w.merchant_id FROM wallets w LEFT JOIN journal_entries e ON e.merchant_id = w.merchant_id
      AND e.environment = w.environment AND e.wallet_sequence = w.chain_sequence
    WHERE w.chain_hash IS DISTINCT FROM e.hash OR w.chain_sequence <> (SELECT count(*) FROM journal_entries o
      WHERE o.merchant_id = w.merchant_id AND o.environment = w.environment
      AND o.wallet_sequence IS NOT NULL)`,
  'a row of one merchant or environment under an entry of another': `
    SELECT t.id FROM wallet_transactions t JOIN journal_entries e ON e.id = t.entry_id
    WHERE (t.merchant_id, t.environment) IS DISTINCT FROM (e.merchant_id, e.environment)`,
};

/** Returns the rules that the ledger's tables violate, with an example of each violation. */
export async function brokenPromises(database: Database): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, query] of Object.entries(violations)) {
    const rows = await database.query(query);
    if (rows.length > 0) broken.push(`${name}: ${JSON.stringify(rows[0])}`);
  }
  return broken;
}

export async function entryCount(database: Database): Promise<number> {
  const [row] = await database.query<{ total: number }>('SELECT count(*) AS total FROM journal_entries');
  return row?.total ?? 0;
}

/** Returns the test environment of a test file. After each test its ledger must violate no rule. */
export function soundWorld(start: () => Promise<World>): World {
  const world = worldOfFile(start);
  afterEach(async () => expect(await brokenPromises(world.database)).toEqual([]));
  return world;
}
