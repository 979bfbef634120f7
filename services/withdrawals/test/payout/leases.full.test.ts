import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Behaviour, eventually, holding, honest, tokenEnded } from '@plataforma/testing';
import { startWorld, type World } from '../support/world.ts';
import { disagreements } from './support/payouts.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await world.first.stop();
});
afterAll(async () => {
  expect(await disagreements(world)).toEqual([]);
  await world.stop();
});

const SHORT = { leaseMs: 1_500, providerTimeoutMs: 20_000 };

/** Nobody holds a claim on it. */
async function claimRunsOut(id: string): Promise<void> {
  const over = 'SELECT 1 FROM withdrawals WHERE id = $1 AND next_check_at <= now()';
  await eventually(async () => expect(await world.database.query(over, [id])).toHaveLength(1));
}

test.each<[string, Behaviour[], Behaviour[]]>([
  ['waits for a token', [], []],
  ['waits for another token, its first one having ended', [honest], [tokenEnded]],
])('a replica that %s until its claim is over orders nothing', async (_what, tokens, orders) => {
  const held = holding();
  world.bank.next('token', ...tokens, held.behaviour);
  world.bank.next('order', ...orders);
  const late = await world.startReplica(SHORT);
  const merchant = world.newMerchant();
  const { id } = await late.client.newWithdrawal(merchant);
  await held.arrived;
  await claimRunsOut(id);

  const other = await world.startReplica();
  await eventually(async () =>
    expect(await other.client.withdrawal(merchant, id)).toMatchObject({ status: 'COMPLETED' }),
  );
  const ordered = world.bank.requestsFor(id, 'order').length;
  held.release();
  // Not before it has done with what it had begun.
  await late.stop();

  expect(world.bank.requestsFor(id, 'order')).toHaveLength(ordered);
  expect(ordered).toBe(orders.length + 1);
  expect(await world.eventsOf(id)).toHaveLength(1);
  await other.stop();
});

test('an order answered after the claim is over, and after the end, changes nothing', async () => {
  const held = holding();
  world.bank.next('order', held.behaviour);
  const late = await world.startReplica(SHORT);
  const merchant = world.newMerchant();
  const { id } = await late.client.newWithdrawal(merchant);
  await held.arrived;
  await claimRunsOut(id);
  const other = await world.startReplica();
  await eventually(async () =>
    expect(await other.client.withdrawal(merchant, id)).toMatchObject({ status: 'COMPLETED' }),
  );
  const ended = await world.rowOf(id);

  held.release();
  await late.stop();

  expect(await world.rowOf(id)).toEqual(ended);
  await other.stop();
});

test('a refusal heard after the claim is over, when another has ordered it, ends nothing', async () => {
  const held = holding(() => ({ status: 400, body: { nome: 'chave_invalida' } }));
  world.bank.paysAtOnce(false);
  world.bank.next('order', held.behaviour);
  const late = await world.startReplica(SHORT);
  const merchant = world.newMerchant();
  const { id } = await late.client.newWithdrawal(merchant);
  await held.arrived;
  await claimRunsOut(id);
  const other = await world.startReplica();
  await eventually(() => expect(world.bank.payoutOf(id)).toBeDefined());

  held.release();
  await late.stop();

  expect(await other.client.withdrawal(merchant, id)).toMatchObject({ status: 'PROCESSING' });
  world.bank.end(id, 'REALIZADO');
  await other.client.notify(id);
  await eventually(async () =>
    expect(await other.client.withdrawal(merchant, id)).toMatchObject({ status: 'COMPLETED' }),
  );
  world.bank.paysAtOnce(true);
  await other.stop();
});
