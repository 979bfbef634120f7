import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Behaviour, doneThenSilence, holding, silence } from '@plataforma/testing';
import type { Operation } from '../support/fake-bank.ts';
import { startWorld, type World } from '../support/world.ts';
import { disagreements, follow } from './support/payouts.ts';

let world: World;

beforeAll(async () => {
  // What is not answered in time is asked about again, also where a busy machine was the reason.
  world = await startWorld({ tuning: { providerTimeoutMs: 500 } });
});
afterEach(() => {
  for (const operation of ['order', 'find'] as const) world.bank.always(operation);
});
afterAll(async () => {
  expect(await disagreements(world)).toEqual([]);
  await world.stop();
});

describe('a bank that says nothing', () => {
  test.each<[string, Operation, Behaviour]>([
    ['to an order it never took', 'order', silence],
    ['to an order it took', 'order', doneThenSilence],
    ['when asked about a payout', 'find', silence],
  ])('%s has paid once in the end', async (_when, operation, behaviour) => {
    world.bank.next(operation, behaviour, behaviour);
    const withdrawal = await follow(world);

    await withdrawal.becomes('COMPLETED');

    expect(await withdrawal.told()).toEqual(['withdrawal.completed']);
  });

  test('at all moves nothing', async () => {
    world.bank.always('order', doneThenSilence);
    world.bank.always('find', silence);
    const withdrawal = await follow(world);

    await withdrawal.isAsked('find', 2);

    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING' });
    expect(await withdrawal.told()).toEqual([]);
  });

  test('for too long answers nobody: what it says then changes nothing', async () => {
    const held = holding();
    world.bank.next('order', held.behaviour);
    const withdrawal = await follow(world);
    await held.arrived;
    await withdrawal.isAsked('order', 2);
    await withdrawal.becomes('COMPLETED');

    held.release();

    expect(await withdrawal.now()).toMatchObject({ status: 'COMPLETED' });
    expect(world.bank.payouts.filter(({ payeeKey }) => payeeKey === withdrawal.pixKey)).toHaveLength(1);
  });
});
