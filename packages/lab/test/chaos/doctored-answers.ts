import type { DoctoredData } from './doctored-data.ts';

/** Lies about what somebody was told before. */
export const doctoredAnswers: DoctoredData[] = [
  {
    name: 'a key works on for longer than its owner gave it',
    service: 'gateway',
    sql: "UPDATE api_keys SET revoked_at = revoked_at + interval '1 minute' WHERE replaced_by IS NOT NULL",
    invariants: [9],
    finds: /rotate\) was answered 20., and of keys/,
  },
  {
    name: 'a key that was revoked works on for a while',
    service: 'gateway',
    sql: `UPDATE api_keys SET revoked_at = revoked_at + interval '1 minute'
      WHERE revoked_at IS NOT NULL AND replaced_by IS NULL`,
    invariants: [9],
    finds: /DELETE .*api-keys.*\) was answered 20., and of keys/,
  },
  {
    name: 'a dispute is of more than its opener was told',
    service: 'charges',
    sql: 'UPDATE disputes SET amount_cents = amount_cents + 1 WHERE provider_reference IS NULL',
    invariants: [4, 9],
    finds: /POST \/v1\/admin\/disputes\) was answered 20., and of disputes/,
  },
  {
    name: 'a dispute was decided otherwise than it was told',
    service: 'charges',
    sql: "UPDATE disputes SET status = 'RESOLVED_MERCHANT' WHERE status = 'RESOLVED_CUSTOMER'",
    invariants: [4, 9],
    finds: /resolve\) was answered 20., and of disputes/,
  },
  {
    name: 'what a merchant had to say was forgotten',
    service: 'charges',
    sql: `UPDATE disputes SET evidence_sent_at = NULL, evidence_description = NULL
      WHERE evidence_sent_at IS NOT NULL`,
    invariants: [9],
    finds: /evidence\) was answered 20., and of disputes/,
  },
  {
    name: 'a destination was forgotten',
    service: 'withdrawals',
    sql: 'DELETE FROM destinations',
    invariants: [9],
    finds: /POST \/v1\/destinations\) was answered 20., and of destinations .* is not there/,
  },
  {
    name: 'a destination that was deleted is back',
    service: 'withdrawals',
    sql: 'UPDATE destinations SET deleted_at = NULL WHERE deleted_at IS NOT NULL',
    invariants: [9],
    finds: /DELETE \/v1\/destinations.*\) was answered 20., and of destinations/,
  },
  {
    name: 'the test of a webhook was forgotten',
    service: 'webhooks',
    sql: "DELETE FROM deliveries WHERE event_type = 'webhook.test'",
    invariants: [7, 9],
    finds: /test\) was answered 20., and of deliveries .* is not there/,
  },
  {
    name: 'a change of a wallet has another name than was told',
    service: 'ledger',
    sql: "UPDATE journal_entries SET reference = gen_random_uuid() WHERE kind = 'adjustment'",
    invariants: [6, 9],
    finds: /adjustments\) was answered 20., and of changes .* is not there/,
  },
  {
    name: 'a row of a statement tells another story than before',
    service: 'ledger',
    sql: "UPDATE wallet_transactions SET description = 'outra coisa'",
    invariants: [9],
    finds: /GET \/v1\/transactions.*\) was answered 200, and of rows/,
  },
  {
    name: 'an edit of an account was forgotten',
    service: 'gateway',
    sql: "UPDATE organizations SET checkout_color = '#000000' WHERE checkout_color = '#1f6feb'",
    invariants: [8, 9],
    finds: /has made .* checkoutColor "#1f6feb", and it is "#000000"/,
  },
];
