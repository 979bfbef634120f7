import { brokenRules, type Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';

const pockets = ['available', 'pending', 'reserved', 'blocked'];
const methods = ['PIX', 'CARD', 'BOLETO'];
const columnOf = (pocket: string, method: string) => `w.${pocket}_${method}_cents`.toLowerCase();
const sumOf = (pocket: string) => methods.map((method) => columnOf(pocket, method)).join(' + ');
const pocketValues = pockets.flatMap((pocket) =>
  methods.map((method) => `('${pocket}:${method}', ${columnOf(pocket, method)})`),
);

const wallet = "concat('wallet ', merchant_id, ' ', environment)";

const rules = {
  'lines of an entry that do not add up to zero': `
    SELECT concat('entry ', e.id) AS what FROM journal_entries e LEFT JOIN journal_lines l
    ON l.entry_id = e.id
    GROUP BY e.id HAVING coalesce(sum(l.amount_cents), 1) <> 0`,
  'a line of no entry': `
    SELECT concat('entry ', entry_id) AS what FROM journal_lines
    WHERE NOT EXISTS (SELECT FROM journal_entries e WHERE e.id = entry_id)`,
  'a wallet that is not what its lines add up to': `
    WITH lines AS (
      SELECT e.merchant_id, e.environment, l.account, sum(l.amount_cents) AS total
      FROM journal_entries e JOIN journal_lines l ON l.entry_id = e.id
      WHERE e.wallet_sequence IS NOT NULL AND (account = 'dispute_debt' OR split_part(account, ':', 1) IN
        (${pockets.map((pocket) => `'${pocket}'`).join()})) GROUP BY 1, 2, 3),
    held AS (
      SELECT w.merchant_id, w.environment, pocket.* FROM wallets w,
        LATERAL (VALUES ${pocketValues.join()}, ('dispute_debt', -w.dispute_debt_cents)) AS pocket (account,
        total))
    SELECT concat(${wallet}, ': ', account, ' is ', held.total, ' and should be ', lines.total) AS what
    FROM held FULL JOIN lines USING (merchant_id, environment, account)
    WHERE coalesce(held.total, 0) <> coalesce(lines.total, 0)`,
  'a wallet below zero': `
    SELECT concat(${wallet}, ': ', key, ' is ', value) AS what FROM wallets w, jsonb_each_text(to_jsonb(w))
    WHERE key LIKE '%\\_cents' AND value::bigint < 0`,
  'a wallet that was below zero for a while': `
    SELECT concat(account, ' of ', merchant_id, ' ', environment, ' was ', min(balance)) AS what FROM (
      SELECT merchant_id, environment, account, sum(amount_cents) OVER (
        PARTITION BY merchant_id, environment, account ORDER BY wallet_sequence) AS balance
      FROM journal_entries JOIN journal_lines ON entry_id = id
      WHERE wallet_sequence IS NOT NULL AND split_part(account, ':', 1) IN
        (${pockets.map((pocket) => `'${pocket}'`).join()})) AS running
    WHERE balance < 0 GROUP BY merchant_id, environment, account`,
  'a debt of lost disputes that is not what they left of it': `
    WITH debts AS (
      SELECT merchant_id, environment, -sum(amount_cents) AS total FROM journal_entries JOIN journal_lines
      ON entry_id = id
      WHERE kind = 'dispute_lost' AND account = 'dispute_exposure' OR kind = 'debt_collected'
      AND account = 'dispute_debt'
      GROUP BY 1, 2)
    SELECT concat(${wallet}, ' is to pay ', collectable_debt_cents, ' and should pay ', total) AS what
    FROM wallets w LEFT JOIN debts USING (merchant_id, environment)
    WHERE collectable_debt_cents <> coalesce(total, 0)`,
  'a debt that is not paid, though there is money': `
    SELECT concat(${wallet}, ' owes ', collectable_debt_cents, ' and has ', ${sumOf('available')}) AS what
    FROM wallets w
    WHERE collectable_debt_cents > 0 AND ${sumOf('available')} > 0`,
  'rows of a statement that do not add up to its wallet': `
    SELECT ${wallet} AS what FROM wallets w LEFT JOIN wallet_transactions t USING (merchant_id, environment)
    GROUP BY w.merchant_id, w.environment HAVING coalesce(sum(t.amount_cents), 0)
      <> ${sumOf('available')} + ${sumOf('pending')} - w.dispute_debt_cents`,
  'a balance after a row that does not follow from the one before': `
    SELECT concat('row ', id) AS what FROM (
      SELECT id, ordinal, row_number() OVER rows AS place, balance_after_cents,
      sum(amount_cents) OVER rows AS sum
      FROM wallet_transactions WINDOW rows AS (PARTITION BY merchant_id, environment
      ORDER BY ordinal)) AS summed
    WHERE balance_after_cents <> sum OR ordinal <> place`,
  'totals that are not those of the rows': `
    SELECT ${wallet} AS what FROM wallets w LEFT JOIN wallet_transactions t USING (merchant_id, environment)
    GROUP BY w.merchant_id, w.environment
    HAVING w.total_fees_paid_cents <> coalesce(-sum(t.amount_cents) FILTER (WHERE t.type = 'FEE'), 0)
      OR w.total_withdrawn_cents <> coalesce(-sum(t.amount_cents) FILTER (WHERE t.type = 'WITHDRAWAL'), 0)
      OR w.total_earned_cents
        <> coalesce(sum(t.amount_cents) FILTER (WHERE t.type = 'CREDIT' AND t.charge_id IS NOT NULL), 0)`,
  'card money to come that is not what is pending of its charge': `
    WITH pending AS (
      SELECT charge_id, sum(amount_cents) AS total FROM journal_entries JOIN journal_lines ON entry_id = id
      WHERE account LIKE 'pending:%' GROUP BY 1)
    SELECT concat('charge ', charge_id) AS what FROM receivables FULL JOIN pending USING (charge_id)
    WHERE coalesce(remaining_cents, 0) <> coalesce(total, 0)`,
  'an entry that does not follow the one before it in its chain': `
    SELECT concat('entry ', id) AS what FROM (
      SELECT id, previous_hash, wallet_sequence, lag(hash) OVER chain AS hash_before,
      row_number() OVER chain AS place
      FROM journal_entries WHERE wallet_sequence IS NOT NULL
      WINDOW chain AS (PARTITION BY merchant_id, environment ORDER BY wallet_sequence)) AS linked
    WHERE wallet_sequence <> place OR previous_hash IS DISTINCT FROM hash_before`,
  'a wallet that does not end where its chain does': `
    SELECT ${wallet} AS what FROM wallets w WHERE chain_hash IS DISTINCT FROM (
      SELECT hash FROM journal_entries e WHERE (e.merchant_id, e.environment) = (w.merchant_id, w.environment)
        AND wallet_sequence IS NOT NULL ORDER BY wallet_sequence DESC LIMIT 1)`,
};

/**
 * Invariant 1. Checks that the lines of an entry add up to zero, that each wallet equals its lines, and that
 * no balance is negative. `checkHashes` checks the hashes.
 */
export function checkBooks({ databases }: Evidence): Promise<Finding[]> {
  return brokenRules(databases.ledger, 1, rules);
}
