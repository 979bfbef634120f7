import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { paid } from '../support/emitter.ts';
import { newTenant } from '../support/identity.ts';
import { sharedSeededWorld } from '../support/world.ts';
import { rowWith, type SeededRow, seedRows } from './rows.ts';

const world = worldOfFile(sharedSeededWorld);
const shop = newTenant();

/** Seven rows, one per hour. The first is at 22:00 UTC on the 9th, which is 19:00 in São Paulo. */
const rows: SeededRow[] = Array.from({ length: 7 }, (_, hour) =>
  rowWith({
    createdAt: new Date(Date.UTC(2026, 10, 9, 22 + hour)).toISOString(),
    amount: 100,
    balanceAfter: 100 * (hour + 1),
    type: 'CREDIT',
  }),
);

beforeAll(async () => {
  await seedRows(world.database, shop, rows);
});

const read = (query = '', tenant: Tenant = shop) => world.readRows(tenant, `/v1/statement${query}`);
const download = (query: string, tenant: Tenant = shop) => world.download(tenant, `/v1/statement${query}`);

describe('the statement of a period', () => {
  test.each([
    ['', { openingBalance: 0, closingBalance: 700, total: 7 }],
    ['?startDate=2026-11-10', { openingBalance: 200, closingBalance: 700, total: 5, timeZone: 'UTC' }],
    ['?endDate=2026-11-09', { openingBalance: 0, closingBalance: 200, total: 2 }],
    ['?startDate=2026-11-11', { openingBalance: 700, closingBalance: 700, total: 0 }],
    ['?endDate=2026-11-08', { openingBalance: 0, closingBalance: 0, total: 0 }],
    [
      '?startDate=2026-11-10&timeZone=America/Sao_Paulo',
      { openingBalance: 500, closingBalance: 700, total: 2, timeZone: 'America/Sao_Paulo' },
    ],
  ])('%s has opening balance, closing balance and total %j', async (query, meta) => {
    expect(await read(query)).toMatchObject({ meta });
  });

  test('has the same balances on each page, and adds up', async () => {
    const period = 'startDate=2026-11-10&limit=2';
    const first = await read(`?${period}`);
    const second = await read(`?${period}&after=${first.meta?.next}`);

    const balances = { openingBalance: 200, closingBalance: 700 };
    expect([first.meta, second.meta]).toMatchObject([balances, balances]);
    const all = (await read('?startDate=2026-11-10&limit=100')).rows;
    expect(all.reduce((sum, { amount }) => sum + amount, balances.openingBalance)).toBe(700);
  });

  test('counts at most 10,000 rows of the available balance', async () => {
    const tenant = newTenant();
    // Writes the entries directly, because posting so many payments takes a minute.
    await world.database.query(
      `WITH entries AS (
         INSERT INTO journal_entries (id, kind, reference, merchant_id, environment, occurred_at)
         SELECT gen_random_uuid(), 'adjustment', gen_random_uuid(), $1, 'sandbox', now()
         FROM generate_series(1, 9999)
         RETURNING id)
       INSERT INTO journal_lines SELECT id, account, amount
       FROM entries, (VALUES ('available:PIX', 1), ('clearing:PIX', -1)) AS line (account, amount)`,
      [tenant.merchantId],
    );
    const totalOf = async () => {
      const { meta } = await read('?view=available&limit=1', tenant);
      return [meta?.total, meta?.totalIsCapped];
    };
    await world.deliver(paid(tenant));
    expect(await totalOf()).toEqual([10_000, undefined]);

    await world.deliver(paid(tenant));

    expect(await totalOf()).toEqual([10_000, true]);
  });

  test('of an empty wallet has zero balances', async () => {
    expect(await read('', newTenant())).toMatchObject({ meta: { openingBalance: 0, closingBalance: 0 } });
  });

  test('with order=asc lists each row once, by page and cursor', async () => {
    const ids = rows.map(({ id }) => id);
    const walked: string[] = [];
    for (let page = 1; page <= 4; page += 1) {
      walked.push(...(await read(`?order=asc&limit=2&page=${page}`)).rows.map(({ id }) => id));
    }
    const byCursor: string[] = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const { rows: some, meta } = await read(`?order=asc&limit=3${next && `&after=${next}`}`);
      byCursor.push(...some.map(({ id }) => id));
      next = meta?.next;
    }

    expect([walked, byCursor]).toEqual([ids, ids]);
    expect((await read('?order=desc&limit=100')).rows.map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await read('?order=asc&page=9')).rows).toEqual([]);
    expect((await world.read(shop, '/v1/statement?order=up')).status).toBe(400);
  });

  test('with order=asc continues with rows posted meanwhile', async () => {
    const tenant = newTenant();
    await seedRows(world.database, tenant, [rowWith(), rowWith()]);
    const before = await read('?order=asc&limit=1', tenant);
    await seedRows(world.database, tenant, [rowWith()]);

    const rest = await read(`?order=asc&limit=5&after=${before.meta?.next}`, tenant);

    expect(before.rows).toHaveLength(1);
    expect(rest.rows).toHaveLength(2);
  });
});

test('rows belong to the day of posting, not of payment', async () => {
  const tenant = newTenant();
  await world.deliver(paid(tenant, { paidAt: '2026-10-31T12:00:00.000Z' }));
  const postedAt = (await read('', tenant)).rows[0]?.createdAt.slice(0, 10);

  for (const list of ['statement', 'transactions']) {
    const total = async (day: string | undefined) =>
      (await world.readRows(tenant, `/v1/${list}?startDate=${day}&endDate=${day}`)).rows.length;
    expect([await total('2026-10-31'), await total(postedAt)]).toEqual([0, 2]);
  }
});

describe('the file of a statement', () => {
  const ask = 'startDate=2026-11-10&endDate=2026-11-10&timeZone=America/Sao_Paulo';

  test('in pt-BR has the format of Brazilian spreadsheets', async () => {
    const tenant = newTenant();
    await seedRows(world.database, tenant, [
      rowWith({ createdAt: '2026-11-10T03:00:00.000Z', amount: -1_234_505, type: 'FEE', balanceAfter: -5 }),
      rowWith({ createdAt: '2026-11-10T12:34:56.789Z', description: 'a;b', paymentMethod: 'CARD' }),
    ]);

    const { status, text } = await download(`?${ask}&locale=pt-BR&order=asc`, tenant);

    const [head, opening, first, second, closing, ...rest] = text.split('\r\n');
    expect(status).toBe(200);
    expect(head?.startsWith('\u{FEFF}Data e hora (America/Sao_Paulo);Tipo;Descrição;Valor (R$);')).toBe(true);
    expect(opening).toBe('10/11/2026 00:00:00;Saldo inicial;;;0,00;;;;;;;;;;;;;;;;');
    expect(first).toContain('10/11/2026 00:00:00;Tarifa;"Pix charge pedido-1";-12345,05;-0,05;Pix;');
    expect(second).toContain('10/11/2026 09:34:56;Crédito;"a;b";25,00;0,00;Cartão;');
    expect(closing).toBe('10/11/2026 23:59:59;Saldo final;;;0,00;;;;;;;;;;;;;;;;');
    expect(rest).toEqual(['']);
  });

  test.each([
    ['asc', '09/11/2026 21:00:00'],
    ['desc', '09/11/2026 21:00:00'],
  ])('without a first day opens at its first row, %s', async (order, time) => {
    const tenant = newTenant();
    await seedRows(world.database, tenant, [
      rowWith({ createdAt: '2026-11-10T00:00:00.000Z' }),
      rowWith({ createdAt: '2026-11-10T12:34:56.789Z' }),
    ]);

    const { text } = await download(`?locale=pt-BR&timeZone=America/Sao_Paulo&order=${order}`, tenant);

    expect(text).toContain(`\r\n${time};Saldo inicial;;;0,00;`);
  });

  test('in en names its time zone, by default UTC', async () => {
    const [head, opening, first] = (await download(`?${ask}&locale=en&order=asc`)).text.split('\r\n');
    const inUtc = (await download('?locale=en')).text.split('\r\n');

    expect(head?.startsWith('id,createdAt (America/Sao_Paulo),type,')).toBe(true);
    expect(opening).toMatch(/^,2026-11-10T00:00:00.000-03:00,OPENING_BALANCE,,,,500,5.00,/);
    expect(first).toContain(`${rows[5]?.id},2026-11-10T00:00:00.000-03:00,CREDIT,`);
    expect(inUtc[0]?.startsWith('id,createdAt (UTC),type,')).toBe(true);
    expect(inUtc[1]).toMatch(/^,[^,]+\+00:00,CLOSING_BALANCE,,,,700,7.00,/);
    expect(inUtc[2]).toContain('2026-11-10T04:00:00.000+00:00');
  });

  test('disarms formulas in texts but not in amounts', async () => {
    const tenant = newTenant();
    const texts = ['=1+1', '-1,5', '@A1', 'a;=1', 'a,+b', '\uFF1D1', '"-2+3'];
    await seedRows(
      world.database,
      tenant,
      texts.map((description) => rowWith({ description, amount: -150 })),
    );

    const lines = (await download('?locale=pt-BR&order=asc', tenant)).text.split('\r\n').slice(2, -2);

    expect(lines.map((line) => /;Crédito;(".*");-1,50;/.exec(line)?.[1])).toEqual([
      `"'=1+1"`,
      '"-1,5"',
      `"'@A1"`,
      `"a;'=1"`,
      `"a,'+b"`,
      `"'\uFF1D1"`,
      `"""'-2+3"`,
    ]);
  });

  test('with order=asc is oldest first over many batches', async () => {
    const tenant = newTenant();
    const many = Array.from({ length: 2_100 }, () => rowWith());
    await seedRows(world.database, tenant, many);

    const lines = (await download('?order=asc', tenant)).text.split('\r\n').slice(1, -1);

    expect(lines.map((line) => line.split(',')[0])).toEqual(many.map(({ id }) => id));
  });

  test('in another language is refused', async () => {
    expect(await download('?locale=fr')).toMatchObject({
      status: 400,
      text: expect.stringContaining('locale'),
    });
  });
});
