import { beforeAll, describe, expect, test } from '@jest/globals';
import { pools } from '@plataforma/http';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { sharedSeededWorld } from '../support/world.ts';
import { rowWith, seedRows } from './rows.ts';

const world = worldOfFile(sharedSeededWorld);

describe('a period', () => {
  const instants = [
    '2026-11-09T23:59:59.999Z',
    '2026-11-10T00:00:00.000Z',
    '2026-11-10T23:59:59.999Z',
    '2026-11-12T00:00:00.000Z',
  ];
  const tenant = newTenant();

  beforeAll(() =>
    seedRows(
      world.database,
      tenant,
      instants.map((createdAt) => rowWith({ createdAt })),
    ),
  );

  test.each([
    ['startDate=2026-11-10', [3, 2, 1]],
    ['endDate=2026-11-10', [2, 1, 0]],
    ['startDate=2026-11-10&endDate=2026-11-10', [2, 1]],
    ['startDate=2026-11-11&endDate=2026-11-11', []],
    ['startDate=2026-11-11', [3]],
    ['startDate=0001-01-01&endDate=9999-12-31', [3, 2, 1, 0]],
    ['endDate=2026-11-08', []],
    ['startDate=2026-11-13', []],
  ])('%s covers whole UTC days', async (query, expected) => {
    for (const path of ['/v1/transactions', '/v1/statement']) {
      const { rows, meta } = await world.readRows(tenant, `${path}?${query}`);

      expect(rows.map(({ createdAt }) => instants.indexOf(createdAt))).toEqual(expected);
      expect(meta).toMatchObject({ total: expected.length });
    }
  });
});

describe('search', () => {
  const tenant = newTenant();
  const [chargeId, withdrawalId] = [newId(), newId()];
  const descriptions = [
    '100% algodão',
    'saco_de_pano',
    'C:\\pedidos',
    'Ação & Reação',
    'sacoXde pano',
    chargeId,
  ];

  beforeAll(() =>
    seedRows(world.database, tenant, [
      ...descriptions.map((description) => rowWith({ description })),
      rowWith({ description: 'of that charge', chargeId }),
      rowWith({ description: 'of that withdrawal', withdrawalId }),
    ]),
  );

  test.each([
    ['%', ['100% algodão']],
    ['_', ['saco_de_pano']],
    ['\\', ['C:\\pedidos']],
    ['0% a', ['100% algodão']],
    ['AÇÃO', ['Ação & Reação']],
    ['  reação  ', ['Ação & Reação']],
    ['PANO', ['sacoXde pano', 'saco_de_pano']],
    [chargeId, ['of that charge', chargeId]],
    [chargeId.toUpperCase(), ['of that charge', chargeId]],
    [withdrawalId, ['of that withdrawal']],
    [withdrawalId.slice(0, 30), []],
    ["'; --", []],
  ])('for %j finds rows with the literal text', async (search, expected) => {
    const path = `/v1/transactions?search=${encodeURIComponent(search)}`;
    const { rows, meta } = await world.readRows(tenant, path);

    expect(rows.map(({ description }) => description)).toEqual(expected);
    expect(meta).toMatchObject({ total: expected.length });
  });
});

test('an account runs two searches at once, beside other accounts', async () => {
  const locked = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  const lock = world.database.transaction(async (tx) => {
    await tx.query('LOCK TABLE wallet_transactions IN ACCESS EXCLUSIVE MODE');
    locked.resolve();
    await open.promise;
  });
  await locked.promise;
  const refused: string[] = [];
  const search = async (tenant: Tenant) => {
    const path = `${world.first.url}/v1/transactions?search=pedido`;
    const answer = await fetch(path, { headers: merchantHeader(tenant) });
    if (answer.status === 503) refused.push(await answer.text());
    return answer.status;
  };
  const [own, other] = [newTenant(), newTenant()];
  const searches = [own, own, own, other].map(search);
  await eventually(() => expect(refused).toEqual([expect.stringContaining(pools.searches.full)]));
  open.resolve();
  await lock;

  expect((await Promise.all(searches)).sort()).toEqual([200, 200, 200, 503]);
  expect(await search(own)).toBe(200);
});
