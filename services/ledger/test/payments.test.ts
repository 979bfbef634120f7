import { describe, expect, test } from '@jest/globals';
import { newId, PLATFORM_ID } from '@plataforma/kernel';
import { z } from 'zod';
import { soundWorld } from './support/books.ts';
import { disputeOf, paid, paidByCard, refundOf, refused, unmatchedOf } from './support/emitter.ts';
import { newTenant, serviceHeader } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = soundWorld(startWorld);

const page = z.strictObject({
  success: z.literal(true),
  data: z.array(
    z.strictObject({
      id: z.uuid(),
      kind: z.enum(['charge_paid', 'unexpected_payment_received']),
      reference: z.uuid(),
      merchantId: z.uuid(),
      paymentMethod: z.string(),
      received: z.int(),
      returned: z.int(),
      lost: z.int(),
    }),
  ),
  next: z.uuid().nullable(),
});

async function payments(query: Record<string, string | number>) {
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const url = `${world.first.url}/internal/payments?${search.join('&')}`;
  return page.parse(await (await fetch(url, { headers: serviceHeader('charges') })).json());
}

const day = (number: number) => `2026-10-0${number}T00:00:00.000Z`;
const first = { environment: 'sandbox', from: day(1), to: day(2) };

describe('the payments of a period', () => {
  test('are all received in it, oldest first', async () => {
    const tenant = newTenant();
    const late = paid(tenant, { paidAt: '2026-10-01T23:59:59.999Z' });
    const early = paidByCard(tenant, { paidAt: '2026-10-01T00:00:00.000Z' });
    const next = paid(tenant, { paidAt: day(2) });
    const elsewhere = paid({ ...tenant, environment: 'production' }, { paidAt: early.data.paidAt });

    await world.deliver(late, early, next, elsewhere);

    const { data, next: cursor } = await payments(first);
    expect(data).toEqual([
      {
        id: expect.any(String),
        kind: 'charge_paid',
        reference: early.data.id,
        merchantId: tenant.merchantId,
        paymentMethod: 'CARD',
        received: 2_500,
        returned: 0,
        lost: 0,
      },
      expect.objectContaining({ reference: late.data.id, paymentMethod: 'PIX' }),
    ]);
    expect(cursor).toBeNull();
  });

  test('show later refunds and disputes of each payment', async () => {
    const tenant = newTenant();
    const period = { environment: 'sandbox', from: day(5), to: day(6) };
    const at = (hour: number) => ({ paidAt: `2026-10-05T0${hour}:00:00.000Z` });
    const [untouched, refunded, disputed, won] = [1, 2, 3, 4].map((hour) => paid(tenant, at(hour)));
    if (!untouched || !refunded || !disputed || !won) throw new Error('four were paid');
    await world.deliver(untouched, refunded, disputed, won);
    const [takenBack, refund] = [refundOf(refunded, { amount: 100 }), refundOf(refunded, { amount: 300 })];
    await world.refund(takenBack);
    await world.deliver(refused(takenBack));
    await world.refund(refund);
    await world.refund(refundOf(disputed, { amount: 500 }));
    await world.deliver(
      disputeOf(disputed, 2_000).resolved('RESOLVED_CUSTOMER'),
      disputeOf(won).resolved('RESOLVED_MERCHANT'),
    );

    const { data } = await payments(period);

    expect(data.map(({ reference, returned, lost }) => [reference, returned, lost])).toEqual([
      [untouched.data.id, 0, 0],
      [refunded.data.id, 300, 0],
      [disputed.data.id, 500, 2_000],
      [won.data.id, 0, 0],
    ]);
  });

  test('include an unmatched payment and its return', async () => {
    const owner = { merchantId: PLATFORM_ID, environment: 'sandbox' } as const;
    const [returned, unreturned] = [unmatchedOf(owner), unmatchedOf(owner)];
    await world.deliver(returned.received, unreturned.received, returned.returned);
    const { paidAt, amount } = returned.received.data;
    const to = new Date(Date.parse(paidAt) + 1).toISOString();

    const { data } = await payments({ environment: 'sandbox', from: paidAt, to });

    const unmatched = data.filter(({ kind }) => kind === 'unexpected_payment_received');
    expect(unmatched.map((it) => [it.reference, it.received, it.returned]).sort()).toEqual(
      [
        [returned.received.data.id, amount, amount],
        [unreturned.received.data.id, amount, 0],
      ].sort(),
    );
  });

  test('appear once each over all pages, even at one instant', async () => {
    const tenant = newTenant();
    const charges = Array.from({ length: 25 }, (_, number) =>
      paid(tenant, { paidAt: `2026-10-03T00:00:00.${number < 12 ? '123456' : '123'}Z` }),
    );
    await world.deliver(...charges);

    const references: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const query = {
        environment: 'sandbox',
        from: day(3),
        to: day(4),
        limit: 4,
        ...(after ? { after } : {}),
      };
      const { data, next } = await payments(query);
      references.push(...data.map(({ reference }) => reference));
      after = next;
    }

    expect(references).toHaveLength(25);
    expect(new Set(references)).toEqual(new Set(charges.map(({ data }) => data.id)));
  });

  test('are read by their index', async () => {
    const plan = await world.database.queryUnprepared<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM journal_entries e WHERE e.environment = 'sandbox'
       AND e.occurred_at >= '2026-10-03' AND e.occurred_at < '2026-10-04'
       AND (e.occurred_at, e.id) > ((SELECT occurred_at FROM journal_entries LIMIT 1), $1::uuid)
       AND e.kind IN ('charge_paid', 'unexpected_payment_received')
       ORDER BY e.occurred_at, e.id LIMIT 10`,
      [newId()],
    );

    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('journal_entries_payments');
  });
});
