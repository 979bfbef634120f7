import { expect, test } from '@jest/globals';
import { pools } from '@plataforma/http';
import type { Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);

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
