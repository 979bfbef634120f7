import type { DoctoredData } from './doctored-data.ts';
import type { DoctoredMemory } from './doctored-memory.ts';

/** Broken promises about events, deliveries, merchants and answers: lies in the databases. */
export const promiseData: DoctoredData[] = [
  {
    name: 'the body of one event was stored for another',
    service: 'webhooks',
    sql: `UPDATE events SET body = other.body FROM events AS other
      WHERE events.type = 'charge.paid' AND other.type = 'charge.paid' AND events.id < other.id`,
    invariants: [7],
    finds: /tells otherwise than was announced/,
  },
  {
    name: 'an event of no more than a test is about another’s configuration',
    service: 'webhooks',
    sql: `INSERT INTO events (id, merchant_id, environment, type, resource_id, occurred_at, body)
      SELECT gen_random_uuid(), gen_random_uuid(), environment, 'webhook.test', id, now(),
        jsonb_build_object('event', 'webhook.test', 'data', jsonb_build_object('id', id)) FROM configurations LIMIT 1`,
    invariants: [7, 10],
    finds: /tells otherwise than was announced/,
  },
];

/** The same in another memory of the shops or the clients. */
export const promiseMemory: DoctoredMemory[] = [
  {
    name: 'a webhook came with a wrong signature of Standard Webhooks',
    doctor: (evidence) => ({
      ...evidence,
      received: evidence.received.map((one, index) => (index === 0 ? { ...one, isSigned: false } : one)),
    }),
    invariants: [7],
    finds: /Standard Webhooks/,
  },
];
