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
