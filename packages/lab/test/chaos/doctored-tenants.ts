import type { DoctoredData } from './doctored-data.ts';

/** Everything of a table is somebody else's. */
const isOfAnother = (table: string, owner = 'merchant_id') =>
  `UPDATE ${table} SET ${owner} = gen_random_uuid()`;

/** What is one merchant's among another's. */
export const doctoredTenants: DoctoredData[] = [
  {
    name: 'a row stands in the statement of another than its entry',
    service: 'ledger',
    sql: `${isOfAnother('wallet_transactions')} WHERE ordinal = 1`,
    invariants: [1, 6, 10],
    finds: /^a row in the statement of another than its entry/,
  },
  {
    name: 'entries of one charge are in two wallets',
    service: 'ledger',
    sql: `UPDATE journal_entries SET charge_id = (SELECT min(charge_id::text)::uuid FROM journal_entries)
      WHERE kind = 'unexpected_payment_received'`,
    invariants: [10],
    finds: /^entries of one charge in two wallets/,
  },
  {
    name: 'an entry is about what is another’s',
    service: 'ledger',
    sql: `${isOfAnother('journal_entries')} WHERE kind = 'refund'`,
    invariants: [1, 10],
    finds: /^\S+ is of \S+ sandbox, and about \S+, which is not/,
  },
  {
    name: 'an event is about what is another’s',
    service: 'charges',
    sql: `UPDATE outbox SET body = jsonb_set(body::jsonb, '{merchantId}', to_jsonb(gen_random_uuid()))::text
      WHERE type = 'dispute.resolved'`,
    invariants: [7, 10],
    finds: /^\S+ is of \S+ sandbox, and about \S+, which is not/,
  },
  {
    name: 'a charge is under somebody else’s key',
    service: 'charges',
    sql: `${isOfAnother('idempotency_keys', 'owner_id')} WHERE begun_id IN (SELECT id FROM charges)`,
    invariants: [10],
    finds: /^a charge under somebody else’s key/,
  },
  {
    name: 'a withdrawal is under somebody else’s key',
    service: 'withdrawals',
    sql: `${isOfAnother('idempotency_keys', 'owner_id')} WHERE begun_id IN (SELECT id FROM withdrawals)`,
    invariants: [10],
    finds: /^a withdrawal under somebody else’s key/,
  },
  {
    name: 'a withdrawal went to somebody else’s destination',
    service: 'withdrawals',
    sql: isOfAnother('destinations'),
    invariants: [10],
    finds: /^a withdrawal to somebody else’s destination/,
  },
  {
    name: 'a delivery goes to another’s endpoint',
    service: 'webhooks',
    // An event about the configuration itself would tell of another's, too.
    sql: `${isOfAnother('configurations')} WHERE environment = 'sandbox' AND id NOT IN
      (SELECT resource_id FROM events WHERE type IN ('webhook.test', 'webhook.failing'))`,
    invariants: [10],
    finds: /^a delivery to another’s endpoint/,
  },
  {
    name: 'an attempt stands in another’s list',
    service: 'webhooks',
    sql: isOfAnother('delivery_attempts'),
    invariants: [10],
    finds: /^an attempt in another’s list/,
  },
];
