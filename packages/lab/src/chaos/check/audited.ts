const isAudited = (action: string, subject: string) =>
  `EXISTS (SELECT FROM audit_log WHERE action = '${action}' AND subject_id = ${subject})`;

/** The defaults of fields that events of older releases do not have, as in the schema of the event. */
const DEFAULTS = `jsonb_build_object('settlementCalendar', 'calendar', 'newPayeesPerDay', NULL,
  'sandboxLimits', jsonb_build_object('dailyWithdrawalLimit', event -> 'data' -> 'dailyWithdrawalLimit',
    'destinationCooldownHours', event -> 'data' -> 'destinationCooldownHours'))`;
/**
 * Selects each published state of a merchant together with the previous state. The rules ignore the colour,
 * the phone number and the clock, because merchants change these themselves.
 */
const STEPS = `
  SELECT subject, now, lag(now) OVER (PARTITION BY subject ORDER BY sequence) AS before FROM (
    SELECT event ->> 'aggregateId' AS subject, (event ->> 'sequence')::int AS sequence,
      ${DEFAULTS} || (event -> 'data') AS now
    FROM outbox, LATERAL (SELECT body::jsonb AS event) AS parsed
    WHERE type = 'merchant.updated') AS announced`;
const OF_ITS_OWN = `'{version,name,cnpj,phone,status,checkoutColor,sandboxAheadMs}'::text[]`;

const notAsOftenAudited = (changed: string, actions: string) => `
  SELECT subject AS what FROM (${STEPS}) AS steps GROUP BY 1 HAVING count(*) FILTER (WHERE ${changed}) <> (
    SELECT count(*) FROM audit_log a WHERE a.subject_id::text = subject AND action IN (${actions}))`;

/** Rules for every service that stores dead letters. */
const letters = {
  'a dead letter that somebody replayed, and nobody did': `
    SELECT id AS what FROM dead_letters d
    WHERE replayed_at IS NOT NULL AND NOT ${isAudited('dead_letter.replay', 'd.id')}`,
};

/**
 * Rules for changes that need an entry in the audit log, by service. A dispute that a provider opened needs
 * no entry for its opening. Each resolution needs one, because only operators resolve disputes.
 */
export const audited = {
  gateway: {
    'a merchant was let in, or sent away, and not as often as people did so': notAsOftenAudited(
      `now -> 'status' <> before -> 'status'`,
      `'merchant.approve', 'merchant.reject', 'merchant.suspend', 'merchant.reactivate'`,
    ),
    'settings were changed, and not as often as people did so': notAsOftenAudited(
      `now - ${OF_ITS_OWN} <> before - ${OF_ITS_OWN}`,
      `'merchant.settings'`,
    ),
    // The first operator is left out, because it exists from the start and no operator created it.
    'an operator whom nobody made': `
      SELECT id AS what FROM operators o WHERE NOT ${isAudited('operator.create', 'o.id')}
      ORDER BY created_at OFFSET 1`,
    'an operator whose access somebody took, and nobody did': `
      SELECT id AS what FROM operators o WHERE NOT is_active AND NOT ${isAudited('operator.change', 'o.id')}`,
    'a password was changed, and not as often as its operator did so': `
      SELECT id AS what FROM operators o WHERE password_version <> (
        SELECT count(*) FROM audit_log a WHERE action = 'operator.change_password'
          AND (operator_id, subject_id) = (o.id, o.id))`,
  },
  charges: {
    ...letters,
    'a dispute that somebody opened, and nobody did': `
      SELECT id AS what FROM disputes d
      WHERE provider_reference IS NULL AND NOT ${isAudited('dispute.open', 'd.id')}`,
    'a dispute that somebody decided, and nobody did': `
      SELECT id AS what FROM disputes d
      WHERE resolved_at IS NOT NULL AND NOT ${isAudited('dispute.resolve', 'd.id')}`,
  },
  withdrawals: {
    ...letters,
    'an approval that is not in the audit log': `
      SELECT id AS what FROM withdrawals w
      WHERE num_nonnulls(nullif(first_approver, merchant_id), nullif(second_approver, merchant_id)) > (
        SELECT count(*) FROM audit_log WHERE action = 'withdrawal.approve' AND subject_id = w.id)`,
    'a rejected withdrawal that neither an operator rejected nor its merchant cancelled': `
      SELECT id AS what FROM withdrawals w
      WHERE status = 'REJECTED' AND rejected_reason <> 'cancelled by the merchant'
        AND NOT ${isAudited('withdrawal.reject', 'w.id')}`,
    'a TED that somebody ended, and nobody did': `
      SELECT id AS what FROM withdrawals w WHERE method = 'TED'
        AND (status = 'COMPLETED' AND NOT ${isAudited('withdrawal.complete', 'w.id')}
          OR status = 'FAILED' AND NOT ${isAudited('withdrawal.fail', 'w.id')})`,
    'an end that two people decided': `
      SELECT subject_id AS what FROM audit_log
      WHERE action IN ('withdrawal.reject', 'withdrawal.complete', 'withdrawal.fail')
      GROUP BY 1 HAVING count(*) > 1`,
  },
  ledger: {
    ...letters,
    'a change of a wallet that nobody made': `
      SELECT e.id AS what FROM journal_entries e WHERE kind IN ('block', 'unblock', 'adjustment') AND 1 <> (
        SELECT count(*) FROM audit_log a
        WHERE a.action = 'wallet.' || e.kind AND a.after ->> 'id' = e.reference::text)`,
  },
  webhooks: letters,
};
