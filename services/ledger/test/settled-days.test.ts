import { afterEach, describe, expect, test } from '@jest/globals';
import { webhookEvents } from '@plataforma/contracts';
import { addDays, dayOf, startOfDay, type Tenant } from '@plataforma/kernel';
import { clockMoved, eventually } from '@plataforma/testing';
import { silent, worldOfFile } from '@plataforma/testing/world';
import { announceSettledDays } from '../src/operations/announce-settled-days.ts';
import { brokenPromises } from './support/books.ts';
import { disputeOf, paidByCard, refundOf, refused } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { differencesOf } from './support/tampering.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

afterEach(async () => expect(await brokenPromises(world.database)).toEqual([]));

const ZONE = 'America/Sao_Paulo';
const day = addDays(dayOf(new Date(), ZONE), 3);
const noon = (date: string) => new Date(startOfDay(date, ZONE).getTime() + 12 * 3_600_000);

const moveTo = ({ merchantId }: Tenant, to: Date, version: number) =>
  world.deliver(clockMoved(merchantId, { sandboxAheadMs: to.getTime() - Date.now(), version }));

async function announced({ merchantId }: Tenant) {
  const rows = await world.database.query<{ body: string }>(
    `SELECT body FROM outbox WHERE type = 'receivable.settled' ORDER BY event_id`,
    [],
  );
  const events = rows.map(({ body }) => JSON.parse(body)).filter((event) => event.merchantId === merchantId);
  return events.map(({ environment, sequence, data }) => ({
    ...{ environment, sequence },
    ...webhookEvents['receivable.settled'].parse(data),
  }));
}

const of = (date: string, count: number, amount: number, sequence = 1) => ({
  ...{ environment: 'sandbox', sequence, id: expect.any(String), paymentMethod: 'CARD' },
  ...{ date, timeZone: 'America/Sao_Paulo', count, amount },
});

const statuses = ['PENDING', 'SETTLED', 'TAKEN'];
const ITEMS = statuses.map((status) => `/items?status=${status}`);

async function reportOf(tenant: Tenant, paths = ['?status=SETTLED', ...ITEMS]): Promise<unknown[]> {
  const answers = await Promise.all(paths.map((path) => world.read(tenant, `/v1/receivables${path}`)));
  return answers.map(({ headers: _, ...answer }) => answer);
}

test('each day’s settlements are announced once after its end', async () => {
  const tenant = newTenant();
  const settlesAt = startOfDay(day, ZONE).toISOString();
  const card = (amount: number, at = settlesAt) =>
    paidByCard(tenant, { amount, feeAmount: 0, settlesAt: at });
  // The last millisecond of the next day in São Paulo. In UTC this time is already on the day after.
  const lastOf = new Date(startOfDay(addDays(day, 2), ZONE).getTime() - 1).toISOString();
  const [first, second, later] = [card(1_000), card(2_000), card(4_000, lastOf)];
  await world.deliver(first, second, later, disputeOf(second, 700).opened);
  await world.refund(refundOf(first, { amount: 100 }));
  await moveTo(tenant, noon(day), 2);
  await eventually(async () =>
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_200, pendingBalance: 4_000 }),
  );
  expect(await announced(tenant)).toEqual([]);

  await moveTo(tenant, noon(addDays(day, 2)), 3);
  await Promise.all(
    Array.from({ length: 4 }, () => announceSettledDays({ database: world.database, log: silent })),
  );

  // The sandbox clock has moved past the end of both days, so both days are published.
  const both = [of(day, 2, 2_200), of(addDays(day, 1), 1, 4_000)];
  await eventually(async () => expect(await announced(tenant)).toEqual(both));
  const report = () => reportOf(tenant, ['?status=SETTLED&timeZone=America/Sao_Paulo']);
  const days = both.map(({ date, paymentMethod, count, amount }) => ({ date, paymentMethod, count, amount }));
  expect(await report()).toMatchObject([{ data: { days } }]);

  // A payment whose event arrives after its day has ended changes that day's totals. The day is published
  // again.
  await world.deliver(card(50));
  await eventually(async () => expect(await announced(tenant)).toEqual([...both, of(day, 3, 2_250, 2)]));
  expect(new Set((await announced(tenant)).map(({ id }) => id)).size).toBe(2);
  expect(await report()).toMatchObject([
    { data: { days: [{ date: day, count: 3, amount: 2_250 }, days[1]] } },
  ]);
});

test('a day waits for an unsettled receivable without delaying others', async () => {
  const tenant = newTenant();
  const [first, second, later] = [day, day, addDays(day, 1)].map((date, index) =>
    paidByCard(tenant, { amount: 1_000 + index, feeAmount: 0, settlesAt: noon(date).toISOString() }),
  );
  if (!first || !second || !later) throw new Error('three charges are made');
  const leaseUntil = (time: string) =>
    world.database.query('UPDATE receivables SET claimed_until = $2 WHERE charge_id = $1', [
      second.data.id,
      time,
    ]);
  await world.deliver(first, second, later);

  await leaseUntil('infinity');
  await moveTo(tenant, noon(addDays(day, 2)), 2);
  const next = of(addDays(day, 1), 1, 1_002);
  await eventually(async () => expect(await announced(tenant)).toEqual([next]));
  await leaseUntil('-infinity');

  await eventually(async () => expect(await announced(tenant)).toEqual([next, of(day, 2, 2_001)]));
});

describe('card money returned after its settlement day', () => {
  test.each([
    ['of a dispute won', 4_000, 'RESOLVED_MERCHANT'],
    ['of a dispute cancelled', 4_000, 'CANCELLED'],
    ['of a refund refused', 4_000, 'refused'],
    ['of the whole amount', 9_900, 'RESOLVED_MERCHANT'],
  ] as const)('is available and changes no settlement: %s', async (_what, amount, end) => {
    const tenant = newTenant();
    const settlesAt = startOfDay(day, ZONE).toISOString();
    const charge = paidByCard(tenant, { amount: 10_000, feeAmount: 100, settlesAt });
    const [dispute, refund] = [disputeOf(charge, amount), refundOf(charge, { amount })];
    await world.deliver(charge);
    if (end === 'refused') await world.refund(refund);
    else await world.deliver(dispute.opened);
    await moveTo(tenant, noon(day), 2);
    const balance = { availableBalance: 9_900 - amount, pendingBalance: 0 };
    await eventually(async () => expect(await world.balanceOf(tenant)).toMatchObject(balance));
    await moveTo(tenant, noon(addDays(day, 2)), 3);
    const events = amount < 9_900 ? [of(day, 1, 5_900)] : [];
    await eventually(async () => expect(await announced(tenant)).toEqual(events));
    const before = await reportOf(tenant);

    await world.deliver(end === 'refused' ? refused(refund) : dispute.resolved(end));

    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 9_900, pendingBalance: 0 });
    await moveTo(tenant, noon(addDays(day, 5)), 4);
    await announceSettledDays({ database: world.database, log: silent });
    expect([await reportOf(tenant), await announced(tenant)]).toEqual([before, events]);
    // A later refund takes available money, because the settlement has moved the charge's money from pending
    // to available.
    await world.refund(refundOf(charge, { amount: 9_000 }));
    expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 900, pendingBalance: 0 });
    expect(await differencesOf(world, tenant)).toEqual([]);
  });

  test('counts in the settlement or beside it in a race', async () => {
    const tenant = newTenant();
    const settlesAt = startOfDay(day, ZONE).toISOString();
    const charges = Array.from({ length: 8 }, () =>
      paidByCard(tenant, { amount: 1_000, feeAmount: 0, settlesAt }),
    );
    const disputes = charges.map((charge) => disputeOf(charge, 400));
    await world.deliver(...charges, ...disputes.map(({ opened }) => opened));

    const ends = disputes.map(({ resolved }) => resolved('RESOLVED_MERCHANT'));
    await moveTo(tenant, noon(day), 2);
    await world.emitter.announce(...ends);

    await eventually(async () =>
      expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 8_000, pendingBalance: 0 }),
    );
    const settlements = await world.database.query(
      `SELECT FROM journal_entries WHERE kind = 'receivable_due' AND charge_id = ANY ($1::uuid[])`,
      [charges.map(({ data }) => data.id)],
    );
    expect(settlements).toHaveLength(charges.length);
  });
});
