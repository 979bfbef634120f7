import { type DoctoredData, first } from './doctored-data.ts';

const A_DELIVERY = first('deliveries', "event_type = 'withdrawal.failed'");

/** Lies about what was told to whom, and how often. */
export const doctoredDeliveries: DoctoredData[] = [
  {
    name: 'a delivery was attempted more often than it may be',
    service: 'webhooks',
    sql: [
      `UPDATE delivery_attempts SET status_code = 500 WHERE delivery_id = ${A_DELIVERY}`,
      `INSERT INTO delivery_attempts SELECT (jsonb_populate_record(a, jsonb_build_object('number', more))).*
        FROM delivery_attempts a, generate_series(2, 7) AS more WHERE delivery_id = ${A_DELIVERY}`,
      `UPDATE deliveries SET attempts = 7, status = 'FAILED' WHERE id = ${A_DELIVERY}`,
    ],
    invariants: [7],
    finds: /^delivery .* after attempts 1,2,3,4,5,6,7: more than 6/,
  },
  {
    name: 'an attempt was counted that nobody made',
    service: 'webhooks',
    sql: `UPDATE deliveries SET attempts = attempts + 1 WHERE id = ${A_DELIVERY}`,
    invariants: [7],
    finds: /^delivery .* after attempts 1: they are not counted right/,
  },
  {
    name: 'a delivery is called a success that no shop took',
    service: 'webhooks',
    sql: `UPDATE delivery_attempts SET status_code = 500 WHERE delivery_id = ${A_DELIVERY}`,
    invariants: [7],
    finds: /^delivery .* SUCCEEDED after attempts 1: a 2xx, and only that, is its success/,
  },
  {
    name: 'an event was queued twice for one endpoint',
    service: 'webhooks',
    sql: [
      'ALTER TABLE deliveries DROP CONSTRAINT deliveries_once',
      `INSERT INTO deliveries SELECT (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
        FROM deliveries d WHERE id = ${A_DELIVERY}`,
    ],
    invariants: [7],
    finds: /^event .* was queued 2 times for/,
  },
  {
    name: 'an event is not among those that merchants are told',
    service: 'webhooks',
    sql: `DELETE FROM events WHERE type = 'withdrawal.failed'`,
    invariants: [7, 8],
    finds: /^withdrawal.failed .* was applied by webhooks, and is not among its events/,
  },
  {
    name: 'there is a gap in what was told of a charge',
    service: 'charges',
    sql: `UPDATE outbox SET body = replace(body, '"sequence":2', '"sequence":3') WHERE type = 'charge.refunded'`,
    // What the merchant received has the number of before.
    invariants: [6, 7],
    finds: /^charge.refunded .*, number 3, follows number 1/,
  },
];
