import { z } from 'zod';
import type { Call } from '../../src/chaos/history.ts';
import type { DoctoredData } from './doctored-data.ts';
import type { DoctoredMemory } from './doctored-memory.ts';

type Change = (call: Call) => Partial<Call>;
type Which = (call: Call) => boolean;

/** Events are partitioned by the time of their ids. */
const ID_OF_NOW = `(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || right(md5(random()::text), 20))::uuid`;

/** The first of some calls once more, with something about it changed. */
const again =
  (which: Which, change: Change): DoctoredMemory['doctor'] =>
  (evidence) => {
    const [found] = evidence.calls.filter(which);
    return { ...evidence, calls: [...evidence.calls, ...(found ? [{ ...found, ...change(found) }] : [])] };
  };
/** Some calls as something else. */
const instead =
  (which: Which, change: Change): DoctoredMemory['doctor'] =>
  (evidence) => ({
    ...evidence,
    calls: evidence.calls.map((call) => (which(call) ? { ...call, ...change(call) } : call)),
  });
const without =
  (which: Which): DoctoredMemory['doctor'] =>
  (evidence) => ({ ...evidence, calls: evidence.calls.filter((call) => !which(call)) });

const refusedWith = (status: number, code: string) => () => ({
  status,
  answer: { success: false, error: { code } },
});
const isPost =
  (path: RegExp): Which =>
  (call) =>
    call.method === 'POST' && path.test(call.path);
const isListOfWebhooks: Which = ({ method, path }) => method === 'GET' && path === '/v1/webhook-config';
const isKeyedWithdrawal: Which = ({ path, body, idempotencyKey }) =>
  path === '/v1/withdrawals' && body?.amount === 20_000 && idempotencyKey !== null;

/** Broken promises about events, deliveries, merchants and answers: lies in the databases. */
export const promiseData: DoctoredData[] = [
  {
    name: 'the ledger has heard of no move of a clock',
    service: 'ledger',
    sql: 'DELETE FROM sandbox_clocks',
    invariants: [8],
    finds: /is 10800000 ms ahead, and 0 ms in ledger/,
  },
  {
    name: 'a clock was moved twice',
    service: 'gateway',
    sql: 'UPDATE organizations SET sandbox_ahead_ms = 2 * sandbox_ahead_ms',
    invariants: [5, 8],
    finds: /is 21600000 ms ahead, and moves of 10800000 ms were asked for/,
  },
  {
    name: 'a move of a clock was lost',
    service: 'gateway',
    sql: 'UPDATE organizations SET sandbox_ahead_ms = sandbox_ahead_ms / 2',
    invariants: [5, 8],
    finds: /is 5400000 ms ahead, and moves of 10800000 ms were acknowledged/,
  },
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
      SELECT ${ID_OF_NOW}, gen_random_uuid(), environment, 'webhook.test', id, now(),
        jsonb_build_object('event', 'webhook.test', 'data', jsonb_build_object('id', id)) FROM configurations LIMIT 1`,
    invariants: [5, 7, 10],
    finds: /tells otherwise than was announced/,
  },
  {
    name: 'a webhook was configured twice',
    service: 'webhooks',
    sql: `INSERT INTO configurations SELECT (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid()))).*
      FROM configurations c WHERE environment = 'production'`,
    invariants: [5],
    finds: /a webhook for .*: there are 2, and ordered were 1/,
  },
  {
    name: 'a destination is there twice',
    service: 'withdrawals',
    sql: `INSERT INTO destinations (id, merchant_id, environment, type, pix_key_type, pix_key, created_at, deleted_at)
      SELECT gen_random_uuid(), merchant_id, environment, 'PIX', 'EVP', 'one', now(), now()
      FROM destinations, generate_series(1, 2)`,
    invariants: [5],
    finds: /a destination with the key one: there are 2, and ordered were 0/,
  },
  {
    name: 'an event was not queued for who had last said that he wants it',
    service: 'webhooks',
    sql: `INSERT INTO events (id, merchant_id, environment, type, resource_id, occurred_at, body)
      SELECT ${ID_OF_NOW}, merchant_id, environment, 'charge.paid', gen_random_uuid(), now(), '{}'
      FROM configurations WHERE environment = 'production'`,
    invariants: [7],
    finds: /was never queued/,
  },
  {
    name: 'a fee was changed behind everybody’s back',
    service: 'gateway',
    sql: 'UPDATE organizations SET pix_fee_bps = pix_fee_bps + 1',
    invariants: [8],
    finds: /pixFeeBps of merchant .* believes in/,
  },
  {
    name: 'a rotation of a key was forgotten',
    service: 'gateway',
    sql: 'UPDATE api_keys SET replaced_by = NULL WHERE replaced_by IS NOT NULL',
    invariants: [9],
    finds: /rotate\) was answered 20., and of keys/,
  },
  {
    name: 'an operator was forgotten',
    service: 'gateway',
    sql: "DELETE FROM operators WHERE email = 'rosa@plataforma.test'",
    invariants: [9],
    finds: /of operators .* is not there/,
  },
  {
    name: 'who registered was forgotten',
    service: 'gateway',
    sql: "DELETE FROM users WHERE email = 'ana@loja.test'",
    invariants: [9],
    finds: /of users ana@loja.test is not there/,
  },
  {
    name: 'an edit of a webhook was forgotten',
    service: 'webhooks',
    sql: "UPDATE configurations SET events = '{}' WHERE environment = 'production'",
    invariants: [9],
    finds: /has made .* events/,
  },
  {
    name: 'an edit of settings was forgotten',
    service: 'gateway',
    sql: 'UPDATE organizations SET auto_approve_limit_cents = 1 WHERE auto_approve_limit_cents = 4000',
    invariants: [8, 9],
    finds: /has made .* autoApproveLimit 4000, and it is 1/,
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
  {
    name: 'one key was answered with a success and with a refusal that stays',
    doctor: again(isKeyedWithdrawal, refusedWith(422, 'INSUFFICIENT_BALANCE')),
    invariants: [5],
    finds: /was answered 422, and .* 201/,
  },
  {
    name: 'what had been done under a key was refused under it later',
    doctor: again(isKeyedWithdrawal, ({ endedAt }) => ({
      ...refusedWith(404, 'NOT_FOUND')(),
      startedAt: endedAt + 60_000,
    })),
    invariants: [5],
    finds: /was answered 404, and .* 201/,
  },
  {
    name: 'a withdrawal was done that had been refused under its key',
    doctor: instead(isKeyedWithdrawal, refusedWith(422, 'INSUFFICIENT_BALANCE')),
    invariants: [5],
    finds: /was refused with INSUFFICIENT_BALANCE, and there is withdrawals/,
  },
  {
    name: 'a withdrawal went to whom nobody had ordered it for',
    doctor: instead(isKeyedWithdrawal, ({ body }) => ({ body: { ...body, pixKey: 'ana@loja.test' } })),
    invariants: [5],
    finds: /a withdrawal without externalId to maria@loja.test of 20000: there are 1, and ordered were 0/,
  },
  {
    name: 'a key was made that nobody had ordered',
    doctor: without(isPost(/^\/v1\/api-keys\/[^/]+\/rotate$/)),
    invariants: [5],
    finds: /a key of /,
  },
  {
    name: 'a webhook was tested that nobody had ordered',
    doctor: without(isPost(/^\/v1\/webhook-config\/[^/]+\/test$/)),
    invariants: [5],
    finds: /a test of the webhook .*: there are 1, and ordered were 0/,
  },
  {
    name: 'a list has shown what is another merchant’s',
    doctor: again(isListOfWebhooks, () => ({ actor: 'merchant 1' })),
    invariants: [10],
    finds: /showed merchant 1 .* which is of .* production/,
  },
  {
    name: 'a list has shown what is of the other environment',
    doctor: again(isListOfWebhooks, () => ({ environment: 'sandbox' })),
    invariants: [10],
    finds: /showed merchant 2 .* which is of .* production/,
  },
  {
    name: 'a shop was flooded',
    doctor: (evidence) => ({
      ...evidence,
      received: [...evidence.received, ...Array(10).fill(evidence.received[0])],
    }),
    invariants: [7],
    finds: /came 11 times, of 1 attempts/,
  },
  {
    name: 'a webhook that had moved came where it never was',
    doctor: (evidence) => {
      const isConfigured = isPost(/^\/v1\/webhook-config$/);
      const { calls } = again(isConfigured, ({ answer, body }) => ({
        method: 'PATCH',
        path: `/v1/webhook-config/${z.object({ data: z.object({ id: z.string() }) }).parse(answer).data.id}`,
        body: { url: body?.url },
      }))(evidence);
      const received = evidence.received.map((one, index) =>
        index === 0 ? { ...one, configurationPath: '/hooks/9' } : one,
      );
      return { ...evidence, calls, received };
    },
    invariants: [10],
    finds: /and came to \/hooks\/9/,
  },
  {
    name: 'what was read as cancelled is not so any more',
    doctor: again(
      ({ method, path }) => method === 'GET' && /^\/v1\/charges\/[0-9a-f-]{36}$/.test(path),
      ({ path }) => ({ answer: { success: true, data: { id: path.split('/')[3], status: 'CANCELLED' } } }),
    ),
    invariants: [9],
    finds: /GET \/v1\/charges.* of charges/,
  },
];
