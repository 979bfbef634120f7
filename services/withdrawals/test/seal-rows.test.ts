import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { openAt, runSealRows } from '@plataforma/testing/world';
import { pending } from './operators/support/states.ts';
import { agreeingWorld } from './payout/support/payouts.ts';
import { newOrder } from './support/client.ts';
import { saved } from './support/destination-bodies.ts';
import { startWorld } from './support/world.ts';

const world = agreeingWorld(startWorld);
let database: Database;

beforeAll(() => {
  database = openAt(world.env.DATABASE_URL ?? '');
});
afterAll(() => database?.close());

const sealRows = (env = {}) => runSealRows('withdrawals', { ...world.env, ...env });

test('the rows of an earlier release are refused until the command has sealed them', async () => {
  const withdrawals = await Promise.all(Array.from({ length: 3 }, () => pending(world)));
  const tenant = world.newMerchant();
  const { id: destinationId } = await saved(world.client, tenant);
  for (const table of ['withdrawals', 'destinations', 'merchants'])
    await database.queryUnprepared(`UPDATE ${table} SET seal = NULL`, []);
  const approve = ({ id }: { id: string }) => world.client.approve(id, newId());
  const order = () => world.client.create(tenant, newOrder({ destinationId }));

  const refused = [...(await Promise.all(withdrawals.map(approve))), await order()];
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409]);

  expect(await sealRows()).toMatchObject({ withdrawals: 3, destinations: 1 });

  expect(await order()).toMatchObject({ status: 201 });
  for (const withdrawal of withdrawals) {
    expect(await approve(withdrawal)).toMatchObject({ status: 200 });
    await withdrawal.becomes('COMPLETED');
  }
  expect(await sealRows()).toMatchObject({ withdrawals: 0, destinations: 0, merchants: 0 });
});

test('the command seals rows of an older key again', async () => {
  const withdrawal = await pending(world);
  const seal = async () => (await world.rowOf(withdrawal.id))?.seal;
  expect(await seal()).toMatch(/^test:/);

  await sealRows({ ROW_KEYS: `next:${Buffer.alloc(32, 9).toString('base64')},${world.env.ROW_KEYS}` });
  expect(await seal()).toMatch(/^next:/);
  // Published events get the new key too, because they may be published again.
  expect(await database.query("SELECT event_id FROM outbox WHERE seal NOT LIKE 'next:%'")).toEqual([]);

  await sealRows();
  expect(await seal()).toMatch(/^test:/);
  await world.client.reject(withdrawal.id, newId());
});
