import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../src/index.ts';
import { expectAgreement, expectProvenBooks } from './books.ts';
import { insist } from './insist.ts';
import { openTill, type Till } from './till.ts';
import { type Cast, startCast } from './world.ts';

const FEE = 100;
const EACH = 5_000;

let world: Cast;
let till: Till;

beforeAll(async () => {
  world = await startCast();
  till = await openTill(world);
  const { operator, platform } = world;
  const { list } = await operator.get(`/v1/admin/merchants?search=${platform.facts.demo.email}`);
  expect(list).toHaveLength(1);
  await operator.patch(`/v1/admin/merchants/${list[0]?.id}/settings`, { withdrawalFee: FEE });
});

afterEach(() => world.bank.heals());
afterAll(() => world?.stop());

const toKey = (amount: number) => ({ amount, pixKey: randomUUID(), pixKeyType: 'EVP' });

function withdraw(amount: number) {
  const [order, key] = [toKey(amount), randomUUID()];
  return insist(() => world.merchant.post('/v1/withdrawals', order, key));
}

function completes(id: unknown): Promise<void> {
  return eventually(async () => {
    const { data } = await world.merchant.get(`/v1/withdrawals/${id}`);
    expect(data.status).toBe('COMPLETED');
  });
}

test('a balance for ten pays ten of a hundred withdrawals', async () => {
  await till.aPaidCharge(EACH * 10 + 10);
  const { availableBalance } = await till.balance();
  const tenth = Math.floor(Number(availableBalance) / 10);

  const answers = await Promise.all(Array.from({ length: 100 }, () => withdraw(tenth)));

  const created = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(created).toHaveLength(10);
  expect(new Set(refused.map(({ body }) => body.error?.code))).toEqual(new Set(['INSUFFICIENT_BALANCE']));
  for (const { data } of created) await completes(data.id);
});

test.each(['timeout', 'reset', 'error500', 'garbage', 'done_then_500'])(
  'a bank whose answers end in %s pays once',
  async (fault) => {
    await till.aPaidCharge(12_000);
    await world.bank.breaks('payout.create', fault);
    await world.bank.breaks('payout.read', fault);

    const { data } = await withdraw(10_000);

    await completes(data.id);
  },
);

test('a killed service resumes its payouts after the restart', async () => {
  const { merchant, platform } = world;
  await till.aPaidCharge(100_000);
  const created = await Promise.all(Array.from({ length: 20 }, () => withdraw(1_000)));
  const [order, key] = [toKey(1_000), randomUUID()];
  const last = merchant.post('/v1/withdrawals', order, key);
  await platform.services.withdrawals.kill();
  await last.catch(() => undefined);
  await platform.services.withdrawals.start();

  const again = await eventually(async () => {
    const answer = await merchant.post('/v1/withdrawals', order, key);
    expect(answer.status).toBe(201);
    return answer;
  });

  for (const { data } of [...created, again]) await completes(data.id);
});

test('in the end bank, withdrawals and books agree', async () => {
  await expectAgreement(world.platform, world.bank, world.operator);
  await expectProvenBooks(world.operator);
});
