import { beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { closingDays } from '../../src/domain/closings.ts';
import { paid } from '../support/emitter.ts';
import { newTenant } from '../support/identity.ts';
import { merchantIn } from '../support/wallet-calls.ts';
import { sharedSeededWorld } from '../support/world.ts';
import { rowWith, seedRows } from './rows.ts';

const world = worldOfFile(sharedSeededWorld);
const shop = newTenant();

beforeAll(async () => {
  const instants = [
    '2026-11-10T02:59:59.999Z',
    '2026-11-10T03:00:00.000Z',
    '2026-11-10T23:59:59.999Z',
    '2026-11-12T12:00:00.000Z',
  ];
  await seedRows(
    world.database,
    shop,
    instants.map((createdAt, index) => rowWith({ createdAt, balanceAfter: 100 * (index + 1) })),
  );
});

async function read(query: string, tenant: Tenant = shop) {
  const { status, error, ...answer } = await world.read(tenant, `/v1/statement/closings${query}`);
  const data = api.listClosings.data.optional().parse(answer.data);
  const days = data?.closings.map(({ date, closingBalance }) => [date, closingBalance]);
  return { status, data, days, message: error?.message };
}

describe('the closings of days', () => {
  test('are empty from a day that has not begun', async () => {
    const { status, data } = await read('?startDate=2999-12-30');

    expect([status, data?.closings]).toEqual([200, []]);
  });

  test('are balances at São Paulo’s midnight, even without rows', async () => {
    const { data, days } = await read('?startDate=2026-11-08&endDate=2026-11-13');

    expect(days).toEqual([
      ['2026-11-08', 0],
      ['2026-11-09', 100],
      ['2026-11-10', 300],
      ['2026-11-11', 300],
      ['2026-11-12', 400],
      ['2026-11-13', 400],
    ]);
    expect(data?.timeZone).toBe('America/Sao_Paulo');
    expect(data?.closings[1]?.endsAt).toBe('2026-11-10T03:00:00.000Z');
  });

  test('as a file begin with the opening balance', async () => {
    const path = '/v1/statement/closings?startDate=2026-11-09&endDate=2026-11-10';
    const fileOf = async (query: string) => (await world.download(shop, path + query)).text.split('\r\n');

    expect(await fileOf('')).toEqual([
      'type,date,endsAt (America/Sao_Paulo),closingBalance,closingBalanceDecimal',
      'OPENING_BALANCE,2026-11-08,2026-11-09T00:00:00.000-03:00,0,0.00',
      'CLOSING_BALANCE,2026-11-09,2026-11-10T00:00:00.000-03:00,100,1.00',
      'CLOSING_BALANCE,2026-11-10,2026-11-11T00:00:00.000-03:00,300,3.00',
      '',
    ]);
    expect((await fileOf('&locale=pt-BR')).slice(1, 3)).toEqual([
      'Saldo inicial;08/11/2026;09/11/2026 00:00:00;0,00',
      'Saldo final;09/11/2026;10/11/2026 00:00:00;1,00',
    ]);
  });

  test('in another time zone end at its midnight', async () => {
    const { data, days } = await read('?timeZone=UTC&startDate=2026-11-09&endDate=2026-11-10');

    expect([data?.timeZone, days]).toEqual([
      'UTC',
      [
        ['2026-11-09', 0],
        ['2026-11-10', 300],
      ],
    ]);
  });

  test('include whole days at both ends of a period', async () => {
    const instants = 'startDate=2026-11-10T12:00:00Z&endDate=2026-11-12T04:00:00-03:00';

    expect((await read(`?${instants}`)).days).toEqual([
      ['2026-11-10', 300],
      ['2026-11-11', 300],
      ['2026-11-12', 400],
    ]);
  });

  test('match the closing balance of each day’s statement', async () => {
    const { data } = await read('?startDate=2026-11-09&endDate=2026-11-12');

    for (const { date, closingBalance } of data?.closings ?? []) {
      const query = `startDate=${date}&endDate=${date}&timeZone=America/Sao_Paulo`;
      expect(await world.read(shop, `/v1/statement?${query}`)).toMatchObject({ meta: { closingBalance } });
    }
  });

  test.each([
    ['America/Sao_Paulo', 100, '-3:BRT'],
    ['America/Manaus', 200, '-4:AMT'],
    ['UTC', 0, '0:GMT'],
  ] as const)(
    'of an account in %s agree with its statement, lists and files',
    async (timeZone, balance, zone) => {
      const account = { ...shop, timeZone };
      const period = '?startDate=2026-11-09&endDate=2026-11-09';
      const json = (path: string) => world.read(account, `${path}${period}`);

      const { data, days } = await read(period, account);

      expect([data?.timeZone, days]).toEqual([timeZone, [['2026-11-09', balance]]]);
      expect(await json('/v1/statement')).toMatchObject({ meta: { timeZone, closingBalance: balance } });
      expect(await json('/v1/transactions')).toMatchObject({ meta: { timeZone, total: balance / 100 } });
      expect(await json('/v1/receivables')).toMatchObject({ data: { timeZone } });
      expect(await json('/v1/receivables/items')).toMatchObject({ meta: { timeZone } });
      const csv = await world.download(account, '/v1/statement?locale=en');
      expect(csv.text).toContain(`createdAt (${timeZone})`);
      const ofx = await world.download(account, '/v1/statement', 'application/x-ofx');
      expect(ofx.text).toContain(`[${zone}]`);
      const named = await world.read(account, `/v1/statement${period}&timeZone=America/Noronha`);
      expect(named).toMatchObject({ meta: { timeZone: 'America/Noronha' } });
    },
  );

  test('of an older gateway’s accounts match release 0.6.0', async () => {
    const query = '?startDate=2026-11-09&endDate=2026-11-09';
    const statement = await world.read(shop, `/v1/statement${query}`);

    expect((await read(query)).days).toEqual([['2026-11-09', 100]]);
    expect(statement).toMatchObject({ meta: { timeZone: 'UTC', closingBalance: 0 } });
  });

  test('cover only past days and don’t change with new money', async () => {
    const tenant = await merchantIn(world);
    const before = await read('', tenant);
    await world.deliver(paid(tenant));

    const after = await read('', tenant);

    expect(before.days).toEqual(after.days);
    expect([29, 30]).toContain(before.days?.length);
    expect(new Set(before.days?.map(([, balance]) => balance))).toEqual(new Set([0]));
    expect((await read('?startDate=2098-01-01&endDate=2098-01-02', tenant)).days).toEqual([]);
  });

  test('belong to one merchant and environment', async () => {
    const ask = '?startDate=2026-11-12&endDate=2026-11-12';

    expect((await read(ask, newTenant())).days).toEqual([['2026-11-12', 0]]);
    expect((await read(ask, { ...shop, environment: 'production' })).days).toEqual([['2026-11-12', 0]]);
  });

  test.each([
    ['?startDate=2025-01-01&endDate=2026-01-02', /^startDate: 366 days at most/],
    ['?page=2', /^page: /],
  ])('with %s are refused', async (query, message) => {
    expect(await read(query)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
  });

  test.each(['0001-01-01', '9999-12-31', '9999-12-31T23:59:59-23:59'])(
    'of the days until %s are answered',
    async (end) => {
      expect((await read(`?endDate=${end}`)).status).toBe(200);
    },
  );

  test('of 366 days are answered', async () => {
    expect((await read('?startDate=2024-01-01&endDate=2024-12-31')).days).toHaveLength(366);
  });
});

test('daily closings without a first day are the last thirty', () => {
  const days = closingDays({ timeZone: 'America/Sao_Paulo' }, new Date('2026-11-30T02:00:00Z'));

  expect([days.length, days[0]?.date, days.at(-1)?.date]).toEqual([30, '2026-10-31', '2026-11-29']);
});
