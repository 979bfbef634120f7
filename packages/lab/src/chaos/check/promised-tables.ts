/** SQL that selects each table's columns, under the names of the API's fields. */
export const tables = {
  charges: `SELECT id, amount_cents AS amount, fee_cents AS "feeAmount", net_cents AS "netAmount", txid,
    status,
    external_id AS "externalId", payment_method AS "paymentMethod" FROM charges`,
  refunds: `SELECT charge_id AS id, id AS "refundId", amount_cents AS amount, status = 'DONE' AS "isDone"
    FROM refunds`,
  files: 'SELECT id FROM dispute_files',
  visits: 'SELECT id, use FROM checkouts',
  disputes:
    'SELECT id, status, charge_id AS "chargeId", amount_cents AS amount, evidence_sent_at FROM disputes',
  withdrawals: `SELECT id, amount_cents AS amount, fee_cents AS fee, net_cents AS "netAmount", status,
    external_id AS "externalId", pix_key AS "pixKey", method, num_nonnulls(first_approver,
    second_approver) AS approvals
    FROM withdrawals`,
  destinations: 'SELECT id, type, deleted_at FROM destinations',
  configurations: 'SELECT id, deleted_at FROM configurations',
  deliveries: 'SELECT id FROM deliveries',
  keys: `SELECT k.id, environment, replaced_by, extract(epoch FROM revoked_at)::float8 * 1000
      - CASE environment WHEN 'sandbox' THEN sandbox_ahead_ms ELSE 0 END AS "endsAt"
    FROM api_keys k JOIN organizations o ON o.id = k.organization_id`,
  operators: 'SELECT id, email, role FROM operators',
  users: 'SELECT email AS id FROM users',
  rows: `SELECT id, type, amount_cents AS amount, description, charge_id AS "chargeId",
    withdrawal_id AS "withdrawalId",
    payment_method AS "paymentMethod", balance_after_cents AS "balanceAfter" FROM wallet_transactions`,
  changes: `SELECT reference AS id, abs((SELECT sum(amount_cents) FROM wallet_transactions
    WHERE entry_id = e.id))::bigint AS amount FROM journal_entries e WHERE kind IN ('block', 'unblock',
    'adjustment')`,
  proposals: 'SELECT id, amount_cents AS amount FROM proposals',
} as const;
