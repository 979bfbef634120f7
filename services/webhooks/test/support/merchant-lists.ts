import { expect, test } from '@jest/globals';
import type { Scope } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { z } from 'zod';
import { merchantHeader, newTenant } from './identity.ts';
import { read } from './reader.ts';
import type { World } from './world.ts';

interface ReadList {
  world: World;
  path: string;
  scopes: Scope[];
}

interface MerchantList extends ReadList {
  /** Stores an item that the list must show. The default time is now. */
  make(tenant: Tenant, past?: { at?: string }): Promise<{ id: string }>;
}

const withIds = z.array(z.object({ id: z.uuid() }));
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

export function readerOf({ world, path, scopes }: ReadList) {
  const get = (tenant: Tenant, query = '', granted = scopes) =>
    read(`${world.first.url}${path}${query}`, merchantHeader(tenant, granted));
  return {
    get,
    async listed(tenant: Tenant, query = '') {
      return withIds.parse((await get(tenant, `?${query}`)).data).map(({ id }) => id);
    },
  };
}

/**
 * Defines the tests that every list of a merchant's past objects must pass. Such lists show the newest object
 * first.
 */
export function testMerchantList({ make, ...list }: MerchantList): void {
  const { get, listed } = readerOf(list);
  const made = async (tenant: Tenant, count: number, at: string) => {
    const ids: string[] = [];
    for (let i = 0; i < count; i += 1) ids.push((await make(tenant, { at })).id);
    return ids;
  };

  test('of a new merchant is one empty page', async () => {
    const { status, data, meta } = await get(newTenant());

    expect([status, data, meta]).toEqual([200, [], { total: 0, page: 1, limit: 20, pages: 0 }]);
  });

  test('is newest first, and ids decide between equal times', async () => {
    const tenant = newTenant();
    const [early, late] = [daysAgo(2), daysAgo(1)];
    const ids: string[] = [];
    for (const at of [late, early, late]) ids.push((await make(tenant, { at })).id);

    const [first, second, third] = ids;
    expect(await listed(tenant)).toEqual([third, first, second]);
  });

  test('shows only one merchant in one environment', async () => {
    const [tenant, stranger] = [newTenant(), newTenant()];
    const { id } = await make(tenant);
    const { id: strangers } = await make(stranger);
    const elsewhere: Tenant = { ...tenant, environment: 'production' };

    const found = [await listed(tenant), await listed(stranger), await listed(elsewhere)];

    expect(found).toEqual([[id], [strangers], []]);
    for (const other of [stranger, elsewhere])
      expect(await get(other, `/${id}`)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
  });

  test('shows each item once across pages while new ones arrive', async () => {
    const tenant = newTenant();
    const at = daysAgo(1);
    const ids = await made(tenant, 25, at);

    const pages: string[] = [];
    for (const number of [1, 2, 3, 4]) {
      pages.push(...(await listed(tenant, `endDate=${at}&limit=8&page=${number}`)));
      await make(tenant);
    }

    expect(pages).toEqual(ids.toReversed());
    const { meta } = await get(tenant, '?limit=8&page=4');
    expect(meta).toEqual({ total: 29, page: 4, limit: 8, pages: 4 });
  });
}

/**
 * `others` has one item for each filter. Expects that each filter alone excludes exactly its item, and that
 * all filters together return only `matching`.
 */
export async function expectNarrowed(
  listed: (query: string) => Promise<string[]>,
  filters: Record<string, string>,
  { matching, others }: { matching: { id: string }; others: Record<string, { id: string }> },
): Promise<void> {
  const every = [matching, ...Object.values(others)].map(({ id }) => id);
  for (const [name, value] of Object.entries(filters)) {
    const left = await listed(`${name}=${value}`);
    expect([name, every.filter((id) => !left.includes(id))]).toEqual([name, [others[name]?.id]]);
  }
  expect(await listed(`${new URLSearchParams(filters)}`)).toEqual([matching.id]);
}
