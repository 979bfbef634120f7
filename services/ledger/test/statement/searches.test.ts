import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pools } from '@plataforma/http';
import type { Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

test('searches of sandboxes leave half of the slots to production', async () => {
  const { total } = pools.searches;
  const locked = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  const lock = world.database.transaction(async (tx) => {
    await tx.query('LOCK TABLE wallet_transactions IN ACCESS EXCLUSIVE MODE');
    locked.resolve();
    await open.promise;
  });
  await locked.promise;
  const statuses: number[] = [];
  const search = async (tenant: Tenant) => {
    const path = `${world.first.url}/v1/transactions?search=pedido`;
    const { status } = await fetch(path, { headers: merchantHeader(tenant) });
    statuses.push(status);
    return status;
  };
  const sandboxes = Array.from({ length: total }, () => search(newTenant()));
  await eventually(() => expect(statuses).toEqual(Array(total / 2).fill(503)));
  const production = Array.from({ length: total / 2 + 1 }, () => search(newTenant('production')));
  await eventually(() => expect(statuses).toEqual(Array(total / 2 + 1).fill(503)));
  open.resolve();
  await lock;

  expect((await Promise.all(production)).sort()).toEqual([...Array(total / 2).fill(200), 503]);
  expect((await Promise.all(sandboxes)).filter((status) => status === 200)).toHaveLength(total / 2);
});
