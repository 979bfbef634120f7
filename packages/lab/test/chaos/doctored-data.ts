import type { ServiceName } from '@plataforma/testing';

export interface DoctoredData {
  name: string;
  service: ServiceName;
  sql: string | string[];
  /** All that go red. */
  invariants: number[];
  /** In the words of the findings that it is about. */
  finds: RegExp | RegExp[];
}

export const first = (table: string, where: string) =>
  `(SELECT id FROM ${table} WHERE ${where} ORDER BY id LIMIT 1)`;

/** Lies in the databases, each of which breaks promises of the platform. */
export const doctoredData: DoctoredData[] = [
  {
    name: 'two charges have one externalId',
    service: 'charges',
    sql: ['DROP INDEX charges_external_id_visit', "UPDATE charges SET external_id = 'one'"],
    invariants: [5, 9],
    finds: /^two charges of one externalId/,
  },
  {
    name: 'two withdrawals have one externalId',
    service: 'withdrawals',
    sql: ['DROP INDEX withdrawals_external_id', "UPDATE withdrawals SET external_id = 'one'"],
    invariants: [5, 9],
    finds: /^two withdrawals of one externalId/,
  },
  {
    name: 'a withdrawal nobody ordered stands beside its twin',
    service: 'withdrawals',
    sql: `INSERT INTO withdrawals SELECT (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).*
      FROM withdrawals w WHERE amount_cents = 20000`,
    invariants: [3, 5, 6],
    finds: /^withdrawal .* is COMPLETED, and in the books 0 times created/,
  },
  {
    name: 'a status is not what was told last',
    service: 'charges',
    sql: `UPDATE charges SET status = 'EXPIRED' WHERE status = 'CANCELLED'`,
    invariants: [6, 9],
    finds: /is now “charge EXPIRED”, and the last that was told of it is nothing/,
  },
  {
    name: 'a list counts a charge too many',
    service: 'charges',
    sql: `INSERT INTO charge_counts_changes SELECT merchant_id, environment, day, payment_method, status, 1
      FROM charge_counts LIMIT 1`,
    invariants: [6],
    finds: /^a total that is not the number of charges: .* has \d+ and counts \d+/,
  },
  {
    name: 'an hour sums up a cent too many',
    service: 'charges',
    sql: `INSERT INTO charge_volumes_changes SELECT merchant_id, environment, hour, payment_method, 0, 0, 0, 1, 0, 0
      FROM charge_volumes LIMIT 1`,
    invariants: [6],
    finds: /^a volume that is not what its charges come to: .* comes to \{.*\} and sums up to \{/,
  },
  {
    name: 'a wallet counts a row too many',
    service: 'ledger',
    sql: `UPDATE wallet_row_counts SET rows_until = rows_until + 1, last_ordinal = last_ordinal + 1
      WHERE (merchant_id, category) = (SELECT merchant_id, category FROM wallet_row_counts ORDER BY 1, 2 LIMIT 1)`,
    invariants: [6],
    finds: /^a count that is not the number of a wallet’s rows: .* has \d+ and counts \d+/,
  },
  {
    name: 'something was told that could not follow',
    service: 'charges',
    sql: `UPDATE outbox SET body = replace(body, '"type":"charge.refunded"', '"type":"charge.expired"'),
      type = 'charge.expired' WHERE type = 'charge.refunded'`,
    invariants: [6, 7],
    finds: /^charge.expired .* follows charge.paid/,
  },
  {
    name: 'a change was never told',
    service: 'charges',
    sql: "DELETE FROM outbox WHERE type = 'dispute.resolved'",
    invariants: [6, 7, 8],
    finds: /is now “dispute RESOLVED_CUSTOMER”, and the last that was told of it is dispute.opened/,
  },
  {
    name: 'a charge has expired before its time',
    service: 'charges',
    sql: "UPDATE outbox SET created_at = created_at - interval '1 minute' WHERE type = 'charge.expired'",
    invariants: [6],
    finds: /^a charge that expired before its time/,
  },
  {
    name: 'an event was never queued for who wants it',
    service: 'webhooks',
    sql: [
      `DELETE FROM delivery_attempts WHERE delivery_id = ${first('deliveries', "event_type = 'charge.paid'")}`,
      `UPDATE deliveries SET event_id = (substr(event_id::text, 1, 14) || substr(gen_random_uuid()::text, 15))::uuid
        WHERE id = ${first('deliveries', "event_type = 'charge.paid'")}`,
    ],
    invariants: [7],
    finds: /^event .* was never queued for .*, which wants it/,
  },
  {
    name: 'a delivery went on after its success',
    service: 'webhooks',
    sql: [
      `INSERT INTO delivery_attempts SELECT (jsonb_populate_record(a, '{"number": 2}')).* FROM delivery_attempts a
        JOIN deliveries d ON d.id = delivery_id WHERE d.attempts = 1 LIMIT 1`,
      `UPDATE deliveries SET attempts = 2 WHERE id IN (
        SELECT delivery_id FROM delivery_attempts GROUP BY 1 HAVING count(*) = 2)`,
    ],
    invariants: [7],
    finds: /^delivery .* after attempts 1,2: it was sent on after a 2xx/,
  },
  {
    name: 'a delivery was given up after one attempt',
    service: 'webhooks',
    sql: [
      `UPDATE delivery_attempts SET status_code = 500 WHERE delivery_id =
        ${first('deliveries', "event_type = 'withdrawal.failed'")}`,
      `UPDATE deliveries SET status = 'FAILED' WHERE event_type = 'withdrawal.failed'`,
    ],
    invariants: [7],
    finds: /^delivery .* after attempts 1: it was given up too early/,
  },
  {
    name: 'an event never left its outbox',
    service: 'charges',
    sql: "UPDATE outbox SET published_at = NULL WHERE type = 'charge.refunded'",
    invariants: [8],
    finds: /^charge.refunded .* has never left its outbox/,
  },
  {
    name: 'a subscriber has not applied an event',
    service: 'ledger',
    sql: `DELETE FROM inbox WHERE event_id = (SELECT min(event_id::text)::uuid FROM inbox)`,
    invariants: [8],
    finds: /^no .* applied by ledger/,
  },
  {
    name: 'a subscriber has applied an event twice',
    service: 'webhooks',
    sql: [
      'ALTER TABLE inbox DROP CONSTRAINT inbox_pkey',
      'INSERT INTO inbox SELECT event_id, received_at FROM inbox LIMIT 1',
    ],
    invariants: [8],
    finds: /^2 times .* applied by webhooks/,
  },
  {
    name: 'a subscriber has applied what no service announced',
    service: 'ledger',
    sql: `INSERT INTO inbox (event_id) SELECT (substr(event_id::text, 1, 14) || substr(gen_random_uuid()::text, 15))::uuid FROM inbox LIMIT 1`,
    invariants: [8],
    finds: /^ledger has applied .*, which no service announced/,
  },
  {
    name: 'an event was set aside that is no poison',
    service: 'ledger',
    sql: `INSERT INTO dead_letters (id, fingerprint, event_id, type, body, died_at)
      VALUES (gen_random_uuid(), 'f', gen_random_uuid(), 'charge.paid', '', now())`,
    invariants: [8],
    finds: /^ledger has set charge.paid .* aside, which is no poison/,
  },
  {
    name: 'a service does not know how a merchant stands',
    service: 'withdrawals',
    sql: `UPDATE merchants SET snapshot = snapshot || '{"status": "SUSPENDED"}'`,
    invariants: [8],
    finds: /^status of merchant .*, and withdrawals believes in "SUSPENDED"/,
  },
  {
    name: 'a service has never heard of a merchant',
    service: 'charges',
    sql: 'DELETE FROM merchants',
    invariants: [8],
    finds: /and charges was never told/,
  },
  {
    name: 'an acknowledged charge is not there any more',
    service: 'charges',
    sql: "DELETE FROM charges WHERE status = 'CANCELLED'",
    invariants: [6, 9],
    finds: /^call .* was answered 20\d, and of charges .* is not there/,
  },
  {
    name: 'a deleted configuration is back',
    service: 'webhooks',
    sql: `UPDATE configurations SET deleted_at = NULL, secret_key_id = 'k', secret_sealed = ''
      WHERE deleted_at IS NOT NULL`,
    invariants: [9],
    finds: /^call .*DELETE.* was answered 20\d, and of configurations/,
  },
  {
    name: 'a refund is of another merchant than its charge',
    service: 'charges',
    sql: 'UPDATE refunds SET merchant_id = gen_random_uuid()',
    invariants: [10],
    finds: /^a payment, refund, dispute or unexpected payment of another than its charge/,
  },
  {
    name: 'a merchant was shown what is another’s',
    service: 'charges',
    sql: "UPDATE charges SET merchant_id = gen_random_uuid() WHERE status = 'CANCELLED'",
    invariants: [6, 10],
    finds: /^call .* showed merchant 1 .*, which is of/,
  },
  {
    name: 'sandbox events are delivered in production',
    service: 'webhooks',
    sql: "UPDATE deliveries SET environment = 'production'",
    invariants: [10],
    finds: /^a delivery of another’s event/,
  },
];
