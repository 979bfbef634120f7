import { beforeAll, describe, expect, test } from '@jest/globals';
import { addDays, dayOf, newId, type TimeZone } from '@plataforma/kernel';
import { soundWorld } from '../support/books.ts';
import { paid } from '../support/emitter.ts';
import { newTenant } from '../support/identity.ts';
import { sharedWorld } from '../support/world.ts';
import { availableStatement, DUE } from './support/available.ts';

const world = soundWorld(sharedWorld);

const { move, pathOf, read } = availableStatement(world);

describe('a period of the available balance', () => {
  const tenant = newTenant();
  const rowsIn = (query: string) => read(tenant, `&order=asc&limit=100${query}`);

  beforeAll(async () => {
    for (const days of [1, 2, 3, 5]) {
      await move(tenant, days);
      await world.deliver(paid(tenant, { amount: days * 1_000, feeAmount: 0 }));
    }
  });

  test.each<TimeZone>(['UTC', 'America/Sao_Paulo', 'America/Rio_Branco'])(
    'in %s has adjoining days with their own rows',
    async (timeZone) => {
      const { data } = await rowsIn('');
      const first = dayOf(new Date(), timeZone);
      let opening = 0;
      for (let date = first; date <= addDays(first, 6); date = addDays(date, 1)) {
        const day = await rowsIn(`&startDate=${date}&endDate=${date}&timeZone=${timeZone}`);
        const own = data.filter(({ createdAt }) => dayOf(new Date(createdAt), timeZone) === date);
        expect(day.data).toEqual(own);
        expect(day.meta.openingBalance).toBe(opening);
        opening = own.reduce((sum, { amount }) => sum + amount, opening);
        expect(day.meta.closingBalance).toBe(opening);
      }
      expect(opening).toBe(11_000);
    },
  );

  test('includes its first and last millisecond', async () => {
    const { data } = await rowsIn('');
    const [second, third] = [data[1], data[2]];

    const { data: between, meta } = await rowsIn(
      `&startDate=${second?.createdAt}&endDate=${third?.createdAt}`,
    );

    expect(between).toEqual([second, third]);
    expect(meta).toMatchObject({ openingBalance: 1_000, closingBalance: 6_000, total: 2 });
  });

  test.each([
    ['&endDate=2020-01-01', 0],
    ['&startDate=2098-01-01', 11_000],
  ])('without rows (%s) has equal opening and closing balances', async (query, balance) => {
    expect(await rowsIn(query)).toMatchObject({
      data: [],
      meta: { total: 0, openingBalance: balance, closingBalance: balance },
    });
  });
});

test('pages and cursors show each row once in both orders', async () => {
  const tenant = newTenant();
  await world.deliver(
    ...Array.from({ length: 25 }, (_, index) => paid(tenant, { amount: 100 + index, feeAmount: 0 })),
  );
  const all = (await read(tenant)).data;
  expect(all).toHaveLength(25);
  for (const order of ['asc', 'desc']) {
    const expected = order === 'asc' ? all : all.toReversed();
    const walked = [];
    for (const page of [1, 2, 3]) walked.push(await read(tenant, `&order=${order}&limit=10&page=${page}`));
    const byCursor = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const { data, meta } = await read(tenant, `&order=${order}&limit=10${next && `&after=${next}`}`);
      byCursor.push(...data);
      next = meta.next;
    }

    expect([walked.flatMap(({ data }) => data), byCursor]).toEqual([expected, expected]);
    expect(walked.map(({ meta }) => meta)).toMatchObject(
      [1, 2, 3].map((page) => ({ page, total: 25, pages: 3, openingBalance: 0, closingBalance: 2_800 })),
    );
  }
  expect((await read(tenant, '&page=9')).data).toEqual([]);
});

const cursor = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url');

test.each([
  ['&type=CREDIT', 'type'],
  ['&search=x', 'search'],
  ['&view=cash', 'view'],
  [`&after=${cursor(2, 'yesterday', newId())}`, 'after'],
  [`&after=${cursor(2, DUE, 7)}`, 'after'],
])('%s is refused', async (query, field) => {
  const { status, error } = await world.read(newTenant(), pathOf(query));

  expect([status, error?.message]).toEqual([400, expect.stringContaining(field)]);
});
