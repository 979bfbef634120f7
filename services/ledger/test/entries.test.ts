import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newId, PLATFORM_ID } from '@plataforma/kernel';
import { z } from 'zod';
import { brokenPromises } from './support/books.ts';
import { disputeOf, paid, paidByCard, refundOf, refused, unexpectedOf } from './support/emitter.ts';
import { headersFor, newTenant, serviceHeaders } from './support/identity.ts';
import { startWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterEach(async () => expect(await brokenPromises(world.database)).toEqual([]));
afterAll(() => world.stop());

const page = z.strictObject({
  success: z.literal(true),
  data: z.array(
    z.strictObject({
      id: z.uuid(),
      kind: z.string(),
      reference: z.uuid(),
      merchantId: z.uuid(),
      occurredAt: z.iso.datetime(),
      lines: z.array(z.strictObject({ account: z.string(), amount: z.int() })),
    }),
  ),
  next: z.uuid().nullable(),
});

function get(query: Record<string, string | number>, headers = serviceHeaders()) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return fetch(`${world.first.url}/internal/entries?${search}`, { headers });
}

const entries = async (query: Record<string, string | number>) => page.parse(await (await get(query)).json());

const day = (number: number) => `2026-10-0${number}T00:00:00.000Z`;
const first = { environment: 'sandbox', from: day(1), to: day(2) };

describe('the entries of a period', () => {
  test('are those that move money at a provider, with their lines, oldest first', async () => {
    const tenant = newTenant();
    const late = paid(tenant, { paidAt: '2026-10-01T23:59:59.999Z' });
    const early = paidByCard(tenant, { paidAt: '2026-10-01T00:00:00.000Z' });
    const next = paid(tenant, { paidAt: day(2) });
    const elsewhere = paid({ ...tenant, environment: 'production' }, { paidAt: early.data.paidAt });

    await world.tell(late, early, next, elsewhere);

    const { data, next: cursor } = await entries(first);
    expect(data).toEqual([
      {
        id: expect.any(String),
        kind: 'charge_paid',
        reference: early.data.id,
        merchantId: tenant.merchantId,
        occurredAt: '2026-10-01T00:00:00.000Z',
        lines: [
          { account: 'clearing:CARD', amount: -2_500 },
          { account: 'fees', amount: 25 },
          { account: 'pending:CARD', amount: 2_475 },
        ],
      },
      expect.objectContaining({ reference: late.data.id, occurredAt: late.data.paidAt }),
    ]);
    expect(cursor).toBeNull();
  });

  test('hold no entry that only moves money within the books', async () => {
    const tenant = newTenant();
    const charge = paid(tenant);
    const refund = refundOf(charge, { amount: 100 });
    const [lost, won] = [disputeOf(charge), disputeOf(charge)];
    const unexpected = unexpectedOf({ merchantId: PLATFORM_ID, environment: 'sandbox' });
    await world.refund(refund);
    await world.tell(refused(refund), lost.resolved('RESOLVED_CUSTOMER'), won.resolved('CANCELLED'));
    await world.tell(unexpected.returned, paid(tenant));

    const { data } = await entries({
      environment: 'sandbox',
      from: '2026-11-01T00:00:00Z',
      to: day(9).replace('10', '12'),
    });

    expect(data.map(({ kind }) => kind).sort()).toEqual([
      'charge_paid',
      'charge_paid',
      'dispute_lost',
      'refund',
      'refund_refused',
      'unexpected_payment_received',
      'unexpected_payment_returned',
    ]);
    expect(data.map(({ occurredAt }) => occurredAt)).toEqual(data.map(({ occurredAt }) => occurredAt).sort());
  });

  test('come page by page, none twice and none left out, also when many are of one instant', async () => {
    const tenant = newTenant();
    const charges = Array.from({ length: 25 }, (_, number) =>
      paid(tenant, { paidAt: `2026-10-03T00:00:00.${number < 12 ? '123456' : '123'}Z` }),
    );
    await world.tell(...charges);

    const seen: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const query = {
        environment: 'sandbox',
        from: day(3),
        to: day(4),
        limit: 4,
        ...(after ? { after } : {}),
      };
      const { data, next } = await entries(query);
      seen.push(...data.map(({ reference }) => reference));
      after = next;
    }

    expect(seen).toHaveLength(25);
    expect(new Set(seen)).toEqual(new Set(charges.map(({ data }) => data.id)));
  });

  test('are read along their index', async () => {
    const plan = await world.database.queryUnprepared<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM journal_entries e WHERE e.environment = 'sandbox'
       AND e.occurred_at >= '2026-10-03' AND e.occurred_at < '2026-10-04'
       AND (e.occurred_at, e.id) > ((SELECT occurred_at FROM journal_entries LIMIT 1), $1::uuid)
       AND e.kind IN ('charge_paid', 'refund', 'refund_refused', 'dispute_lost',
         'unexpected_payment_received', 'unexpected_payment_returned')
       ORDER BY e.occurred_at, e.id LIMIT 10`,
      [newId()],
    );

    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('journal_entries_clearing');
  });
});

describe('the door for entries', () => {
  test.each([
    ['nobody', {}],
    ['another service', serviceHeaders('webhooks')],
    ['a merchant', headersFor(newTenant())],
  ])('is closed to %s', async (_who, headers) => {
    expect((await get(first, headers)).status).toBe(401);
  });

  test.each([
    ['no environment', { from: day(1), to: day(2) }, 'environment'],
    ['a day that is no time', { ...first, from: '2026-10-01' }, 'from'],
    ['more than a thousand', { ...first, limit: 1_001 }, 'limit'],
    ['a cursor that is no id', { ...first, after: 'x' }, 'after'],
    ['a cursor that names nothing', { ...first, after: newId() }, 'after'],
    ['a parameter it does not know', { ...first, kind: 'refund' }, 'kind'],
  ])('does not take %s', async (_what, query, field) => {
    const answer = await get(query);

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { code: 'VALIDATION_ERROR', message: expect.stringContaining(`${field}: `) },
    });
  });
});
