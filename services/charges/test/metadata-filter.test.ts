import { beforeAll, describe, expect, test } from '@jest/globals';
import { api, type ChargeView } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
let tenant: Tenant;
let maria: ChargeView;
let joao: ChargeView;

beforeAll(async () => {
  tenant = newTenant();
  maria = await world.client.newCharge(tenant, { metadata: { loja: 'matriz', vendedor: '17' } });
  joao = await world.client.newCharge(tenant, {
    metadata: { loja: 'filial "2"', vendedor: '17', nº: 'a&b' },
  });
  await world.client.newCharge(tenant);
  // Another merchant has a charge with the same metadata.
  await world.client.newCharge(newTenant(), { metadata: { loja: 'matriz', vendedor: '17' } });
});

const found = (query: Record<string, string>) => world.client.found(tenant, query);

describe('a merchant’s charges', () => {
  test('are found by all given metadata, newest first', async () => {
    expect(await found({ 'metadata[vendedor]': '17' })).toEqual([joao.id, maria.id]);
    expect(await found({ 'metadata[vendedor]': '17', 'metadata[loja]': 'matriz' })).toEqual([maria.id]);
    expect(await found({ 'metadata[loja]': 'filial "2"', 'metadata[nº]': 'a&b' })).toEqual([joao.id]);
    expect(await found({ 'metadata[vendedor]': '17', status: 'PENDING', maxAmount: '100' })).toEqual([]);
    expect(await found({ 'metadata[loja]': 'mat' })).toEqual([]);
    expect(await found({ 'metadata[outra]': '' })).toEqual([]);
  });

  test('continue from a cursor of the same metadata filter only', async () => {
    const page = api.listCharges.data.array();
    const first = await world.client.list(tenant, '?metadata[vendedor]=17&limit=1');
    const next = `limit=1&after=${encodeURIComponent(String(first.meta?.next))}`;

    const second = await world.client.list(tenant, `?metadata[vendedor]=17&${next}`);
    const other = await world.client.list(tenant, `?metadata[vendedor]=18&${next}`);

    expect([first, second].flatMap(({ data }) => page.parse(data)).map(({ id }) => id)).toEqual([
      joao.id,
      maria.id,
    ]);
    expect(other.status).toBe(400);
  });
});

describe('a refused metadata filter', () => {
  test.each([
    ['is not an object', 'metadata=loja', 'metadata: '],
    ['repeats a name', 'metadata[loja]=a&metadata[loja]=b', 'metadata.loja: '],
    ['has a forbidden name', 'metadata[__proto__]=a', 'metadata[__proto__]: '],
    ['has a nested name', 'metadata[a][b]=a', 'metadata[a][b]: '],
    ['has no name', 'metadata[]=a', 'metadata[]: '],
    ['has another parameter name', 'data[loja]=a', 'data: '],
  ])('%s', async (_what, query, message) => {
    const { status, error } = await world.client.list(tenant, `?${query}`);

    expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(error?.message).toContain(message);
  });
});
