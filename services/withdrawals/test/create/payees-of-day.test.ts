import { beforeEach, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { newOrder } from '../support/client.ts';
import { farFromMidnight, moveToMidnight, splitOf } from '../support/day-orders.ts';
import { newPixBody, saved } from '../support/destination-bodies.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);
const replica = beforeFile(async () => (await world.startReplica()).client);

beforeEach(farFromMidnight);

const cautious = (newPayeesPerDay: number) =>
  world.newMerchant({ autoApproveLimit: 1_000_000, newPayeesPerDay }, 'production');
const reasonOf = async (merchant: Tenant, pixKey = newId()) =>
  (await world.client.newWithdrawal(merchant, { pixKey })).waitingFor?.reason ?? null;
const expectSplit = (merchant: Tenant, left: number) =>
  splitOf(world, merchant, { left, reason: 'new_payees_per_day' });
const LIMIT = 'new_payees_per_day';

test('the eleventh new payee of a day needs an approval, a known one not', async () => {
  const merchant = cautious(10);
  const keys = Array.from({ length: 11 }, () => newId());

  for (const pixKey of [...keys, ...keys.slice(0, 2)]) await world.client.newWithdrawal(merchant, { pixKey });

  const { waiting } = await expectSplit(merchant, 12);
  expect(await world.client.withdrawal(merchant, String(waiting[0]))).toMatchObject({ pixKey: keys[10] });
});

test('of twelve new payees at once, on two replicas, ten are paid', async () => {
  const merchant = cautious(10);
  const clients = [world.client, replica];

  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      clients[index % 2]?.create(merchant, newOrder(), `key-${index}`),
    ),
  );

  await expectSplit(merchant, 10);
});

test('ten withdrawals to one new payee at once count one payee', async () => {
  const merchant = cautious(1);
  const order = newOrder({ amount: 1_000 });

  await Promise.all(
    Array.from({ length: 10 }, (_, index) => world.client.create(merchant, order, `key-${index}`)),
  );

  await expectSplit(merchant, 10);
  expect(await reasonOf(merchant)).toBe(LIMIT);
});

test('a payee that an operator approved is known and counts no more', async () => {
  const merchant = cautious(0);
  const pixKey = newId();
  const { id } = await world.client.newWithdrawal(merchant, { pixKey });
  expect(await reasonOf(merchant, pixKey)).toBe(LIMIT);

  await world.client.approve(id, newId());

  expect(await reasonOf(merchant, pixKey)).toBeNull();
  expect(await reasonOf(merchant)).toBe(LIMIT);
});

test('a paid payee is known on the next day, one that waits is not', async () => {
  const merchant = cautious(1);
  const [paid, waiting] = [newId(), newId()];
  expect([await reasonOf(merchant, paid), await reasonOf(merchant, waiting)]).toEqual([null, LIMIT]);
  await expectSplit(merchant, 1);

  await moveToMidnight(world, merchant, -1);

  expect(await reasonOf(merchant)).toBeNull();
  expect([await reasonOf(merchant, paid), await reasonOf(merchant, waiting)]).toEqual([null, LIMIT]);
});

test('a failed first payment frees its slot, and its payee stays new', async () => {
  const merchant = cautious(1);
  const { pixKey } = newOrder();
  world.bank.paysAtOnce(false);
  const { id } = await world.client.newWithdrawal(merchant, { pixKey });
  await eventually(() => expect(world.bank.payoutOf(id)).toBeDefined());
  world.bank.end(id, 'NAO_REALIZADO');
  world.bank.paysAtOnce(true);
  await world.client.notify(id);
  await eventually(async () => expect(await world.rowOf(id)).toMatchObject({ status: 'FAILED' }));

  expect(await reasonOf(merchant)).toBeNull();
  expect(await reasonOf(merchant, String(pixKey))).toBe(LIMIT);
});

test('a saved destination is new until its first payment, deleted or not', async () => {
  const merchant = cautious(1);
  const [used, unused] = [newPixBody(), newPixBody()];
  const again = async (body: Record<string, unknown>) => {
    const { id } = await saved(world, merchant, body);
    await world.call(merchant, `/v1/destinations/${id}`, { method: 'DELETE' });
    return (await saved(world, merchant, body)).id;
  };
  const reasonFor = async (destinationId: string) =>
    (await world.client.newWithdrawal(merchant, { destinationId })).waitingFor?.reason ?? null;
  await reasonOf(merchant, String(used.pixKey));
  await moveToMidnight(world, merchant, -1);
  const [paidBefore, fresh] = [await again(used), await again(unused)];
  await world.database.query(
    `UPDATE destinations SET created_at = now() - interval '3 days' WHERE merchant_id = $1`,
    [merchant.merchantId],
  );

  expect(await reasonOf(merchant)).toBeNull();

  expect([await reasonFor(paidBefore), await reasonFor(fresh)]).toEqual([null, LIMIT]);
});

test('without a limit every new payee is paid', async () => {
  const merchant = world.newMerchant({ autoApproveLimit: 1_000_000 }, 'production');

  for (let number = 0; number < 12; number += 1) expect(await reasonOf(merchant)).toBeNull();
});
