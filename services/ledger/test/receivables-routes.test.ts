import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { clockMoved, eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { paid, paidByCard, refundOf } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld());

const get = (path: string, tenant = shop) => world.read(tenant, `/v1/receivables${path}`);
const fileOf = async (path: string, tenant: Tenant) =>
  (await world.download(tenant, `/v1/receivables${path}`)).text.split('\r\n').slice(0, -1);

const shop = newTenant();
const DAY_MS = 86_400_000;
const IN_TWO_DAYS = new Date(Date.now() + 2 * DAY_MS).toISOString();
/** Returns midnight in São Paulo at the start of a day. */
const startOf = (day: string) => `${day}T03:00:00.000Z`;
const card = (settlesAt: string, amount: number, names: { nsu?: string; authorizationCode?: string } = {}) =>
  paidByCard(shop, { amount, feeAmount: 0, settlesAt, ...names });

const [first, second] = [card(startOf('2098-12-31'), 1_000), card(startOf('2098-12-31'), 2_000)];
const third = card(startOf('2099-01-02'), 4_000, { nsu: '000123', authorizationCode: 'A1' });

describe('receivables', () => {
  beforeAll(async () => {
    const strangers = newTenant();
    const otherEnvironment = { ...shop, environment: 'production' as const };
    await world.deliver(first, second, third, paid(shop));
    await world.deliver(paidByCard(strangers), paidByCard(otherEnvironment));
    await world.refund(refundOf(second, { amount: 500 }));
  });

  test('are the pending balance by São Paulo day and method', async () => {
    const { data } = await get('');

    expect(data).toEqual({
      timeZone: 'America/Sao_Paulo',
      totalAmount: (await world.balanceOf(shop)).pendingBalance,
      days: [
        { date: '2098-12-31', paymentMethod: 'CARD', count: 2, amount: 2_500 },
        { date: '2099-01-02', paymentMethod: 'CARD', count: 1, amount: 4_000 },
      ],
    });
  });

  test.each([
    ['?startDate=2099-01-01', ['2099-01-02']],
    ['?endDate=2098-12-31', ['2098-12-31']],
    ['?startDate=2098-12-31&endDate=2099-01-01', ['2098-12-31']],
    ['?startDate=2098-12-31&endDate=2098-12-30', undefined],
    ['?paymentMethod=PIX', []],
    // Rio Branco is two hours behind São Paulo, so São Paulo's midnight is on the previous day there.
    ['?timeZone=America/Rio_Branco', ['2098-12-30', '2099-01-01']],
    ['?timeZone=UTC&startDate=2099-01-02', ['2099-01-02']],
  ])('with %s have the days %j', async (query, dates) => {
    const { status, data } = await get(query);

    expect(status).toBe(dates ? 200 : 400);
    if (dates) expect(data).toMatchObject({ days: dates.map((date) => ({ date })) });
  });

  test('are listed with their charges for their own merchant only', async () => {
    const { data, meta } = await get('/items?limit=2');
    const { data: rest } = await get(`/items?limit=2&after=${meta?.next}`);

    expect(meta).toMatchObject({ total: 3 });
    const partly = { chargeId: second.data.id, amount: 1_500, originalAmount: 2_000 };
    const whole = { chargeId: first.data.id, amount: 1_000, originalAmount: 1_000 };
    const sameDay = first.data.id > second.data.id ? [whole, partly] : [partly, whole];
    expect([data, rest].flat()).toEqual(
      [{ chargeId: third.data.id, amount: 4_000, originalAmount: 4_000 }, ...sameDay].map((item, index) => ({
        ...item,
        ...{ paymentMethod: 'CARD', status: 'PENDING', settledAt: null },
        ...{
          externalId: 'pedido-1',
          nsu: index === 0 ? '000123' : null,
          authorizationCode: index === 0 ? 'A1' : null,
        },
        settlesAt: startOf(index === 0 ? '2099-01-02' : '2098-12-31'),
      })),
    );
    const page = { page: 1, limit: 20, pages: 1, timeZone: 'America/Sao_Paulo' };
    expect((await get('/items?startDate=2099-01-01')).meta).toEqual({ total: 1, ...page });
  });

  test('settled or taken early are listed by status', async () => {
    const tenant = newTenant();
    const [whole, partly, taken, later] = [1_000, 2_000, 4_000, 8_000].map((amount) =>
      paidByCard(tenant, {
        amount,
        feeAmount: 0,
        settlesAt: amount === 8_000 ? startOf('2099-01-02') : IN_TWO_DAYS,
      }),
    );
    if (!whole || !partly || !taken || !later) throw new Error('four charges are made');
    await world.deliver(whole, partly, taken, later);
    await world.refund(refundOf(partly, { amount: 500 }));
    await world.refund(refundOf(taken, { amount: 4_000 }));
    await world.deliver(clockMoved(tenant.merchantId, { sandboxAheadMs: 3 * DAY_MS, version: 2 }));
    await eventually(async () =>
      expect(await world.balanceOf(tenant)).toMatchObject({ availableBalance: 2_500, pendingBalance: 8_000 }),
    );

    const read = async (query: string) => (await get(`/items?${query}`, tenant)).data;

    expect(await read('status=PENDING')).toEqual(await read(''));
    expect(await read('')).toMatchObject([{ chargeId: later.data.id, status: 'PENDING', settledAt: null }]);
    const settledAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    const names = { externalId: 'pedido-1', nsu: null, authorizationCode: null };
    const common = { status: 'SETTLED', paymentMethod: 'CARD', settlesAt: IN_TWO_DAYS, settledAt, ...names };
    const items = [
      { ...common, chargeId: whole.data.id, amount: 1_000, originalAmount: 1_000 },
      { ...common, chargeId: partly.data.id, amount: 1_500, originalAmount: 2_000 },
    ];
    expect(await read('status=SETTLED')).toEqual(items.sort((a, b) => (a.chargeId < b.chargeId ? 1 : -1)));
    expect(await read('status=TAKEN')).toEqual([
      {
        ...common,
        status: 'TAKEN',
        settledAt: null,
        chargeId: taken.data.id,
        amount: 0,
        originalAmount: 4_000,
      },
    ]);
    const { data } = await get('?status=SETTLED&timeZone=UTC', tenant);
    expect(data).toMatchObject({
      totalAmount: 2_500,
      days: [{ date: IN_TWO_DAYS.slice(0, 10), count: 2, amount: 2_500 }],
    });
    expect((await get('?status=TAKEN&timeZone=UTC', tenant)).data).toMatchObject({
      totalAmount: 0,
      days: [{ date: IN_TWO_DAYS.slice(0, 10), count: 1, amount: 0 }],
    });

    const cells = async (query: string) =>
      (await fileOf(`/items?locale=en&${query}`, tenant)).map((line) => line.split(',').slice(-6, -3));
    const [heads, ...rows] = await cells('status=SETTLED');
    expect(heads).toEqual(['chargeId', 'status', 'settledAt (America/Sao_Paulo)']);
    expect(rows).toEqual(
      [whole, partly].map(() => [expect.any(String), 'SETTLED', expect.stringMatching(/^20\d\d-/)]),
    );
    expect((await cells('status=TAKEN'))[1]).toEqual([taken.data.id, 'TAKEN', '']);
    expect((await fileOf('/items?locale=en&status=TAKEN', tenant))[1]).toMatch(/^,/);
  });

  test('of an empty wallet are an empty list', async () => {
    expect((await get('', newTenant())).data).toEqual({
      timeZone: 'America/Sao_Paulo',
      totalAmount: 0,
      days: [],
    });
    expect((await get('/items', newTenant())).data).toEqual([]);
  });

  test('are read from their index alone', async () => {
    const portion = `
      INSERT INTO receivables (charge_id, merchant_id, environment, payment_method, amount_cents,
      remaining_cents,
        settles_at, due_reference)
      SELECT gen_random_uuid(), $1, $2, 'CARD', 1, 0, '2026-01-01', gen_random_uuid() FROM generate_series(1,
      2000)`;
    // Insert the rows in ten statements, because a single statement would time out on a busy machine.
    for (let part = 0; part < 10; part += 1)
      await world.database.query(portion, [shop.merchantId, shop.environment]);
    await world.database.queryUnprepared('VACUUM ANALYZE receivables', []);
    const plan = await world.database.queryUnprepared(
      `EXPLAIN SELECT payment_method, sum(remaining_cents) FROM receivables
       WHERE merchant_id = $1 AND environment = $2 AND remaining_cents > 0 AND settles_at > now() GROUP BY 1`,
      [shop.merchantId, shop.environment],
    );
    expect(JSON.stringify(plan)).toContain('Index Only Scan using receivables_pending');
  });
});

describe('receivables as files', () => {
  const tenant = newTenant();

  test('list days and charges in English and Portuguese', async () => {
    const settlesAt = startOf('2098-12-31');
    const charge = paidByCard(tenant, { id: newId(), amount: 1_050, feeAmount: 0, settlesAt });
    await world.deliver(charge);

    expect(await fileOf('', tenant)).toEqual([
      'date,paymentMethod,count,amount,amountDecimal',
      '2098-12-31,CARD,1,1050,10.50',
    ]);
    expect((await fileOf('?locale=pt-BR', tenant))[1]).toBe('31/12/2098;Cartão;1;10,50');
    expect((await fileOf('/items', tenant))[1]).toContain(
      '2098-12-31T00:00:00.000-03:00,CARD,1050,10.50,1050,10.50,',
    );
    expect((await fileOf('/items?locale=pt-BR', tenant))[1]).toBe(
      `31/12/2098 00:00:00;Cartão;10,50;10,50;A receber;;"pedido-1";;;${charge.data.id}`,
    );
  });
});
