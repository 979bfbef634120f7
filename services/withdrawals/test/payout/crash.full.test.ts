import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Behaviour, doneThenSilence, eventually, silence } from '@plataforma/testing';
import { endsOf } from '../support/ends-of.ts';
import type { Operation } from '../support/fake-bank.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { startWorld } from '../support/world.ts';
import { blockedPayoutsIn } from './support/blocked-payouts.ts';
import { agreeingWorld, followed } from './support/payouts.ts';

const world = agreeingWorld(startWorld);
let doomed: ServiceProcess;

beforeAll(async () => {
  await world.first.stop();
});
afterEach(() => doomed.kill());

describe('a killed process', () => {
  test.each<[string, Operation, Behaviour]>([
    ['before the order was sent', 'token', silence],
    ['before the bank accepted the order', 'order', silence],
    ['after the bank accepted the order, before its answer', 'order', doneThenSilence],
    ['during its query of the payout', 'find', silence],
  ])('%s leaves a payout that another process finishes once', async (_when, operation, behaviour) => {
    const met = Promise.withResolvers<void>();
    world.bank.next(operation, async (perform) => {
      const reply = await behaviour(perform);
      met.resolve();
      return reply;
    });
    doomed = await startServiceProcess(world.env);
    const merchant = world.newMerchant();
    const { id } = await doomed.client.newWithdrawal(merchant);
    await met.promise;
    await doomed.kill();
    expect(await world.rowOf(id)).toMatchObject({ status: 'PROCESSING' });

    const successor = await world.startReplica();
    await eventually(async () =>
      expect(await successor.client.withdrawal(merchant, id)).toMatchObject({ status: 'COMPLETED' }),
    );

    expect(world.bank.payouts.filter(({ id: payoutId }) => payoutId === id.replaceAll('-', ''))).toHaveLength(
      1,
    );
    expect(await endsOf(world, id)).toMatchObject([{ type: 'withdrawal.completed', sequence: 3 }]);
    await successor.stop();
  });

  test('after an operator’s debit leaves payout and alarm to another', async () => {
    doomed = await startServiceProcess(world.env);
    const before = blockedPayoutsIn({ ...world, client: doomed.client });
    const { id, tenant } = await before.blocked();
    const booked = Promise.withResolvers<void>();
    world.ledger.nextFor(tenant.merchantId, (perform) => {
      perform();
      booked.resolve();
      return 'silence';
    });
    const decided = before.decide({ id }, 'debit').catch(() => null);
    await booked.promise;
    await doomed.kill();
    expect(await decided).toBeNull();

    const successor = await world.startReplica();
    const after = { ...world, client: successor.client };
    const withdrawal = followed(after, tenant, await successor.client.withdrawal(tenant, id));
    await withdrawal.becomes('COMPLETED');

    expect(world.ledger.taken.filter((debit) => debit.id === id)).toHaveLength(1);
    expect(world.bank.requestsFor(id, 'order')).toHaveLength(1);
    expect(await blockedPayoutsIn(after).alarmsOf(withdrawal)).toMatchObject([
      { kind: 'NO_DEBIT', settledAt: expect.any(String), settledBy: null },
    ]);
    await successor.stop();
  });

  test('after the recorded end leaves only its announcement', async () => {
    doomed = await startServiceProcess(world.env);
    const merchant = world.newMerchant();
    const { id } = await doomed.client.newWithdrawal(merchant);
    await eventually(async () => expect(await world.rowOf(id)).toMatchObject({ status: 'COMPLETED' }));
    await doomed.kill();
    const requestsBefore = world.bank.requests.length;

    const successor = await world.startReplica();
    const waiting = 'SELECT 1 FROM outbox WHERE published_at IS NULL';
    await eventually(async () => expect(await world.database.query(waiting)).toEqual([]));
    await successor.stop();

    expect(world.bank.requests).toHaveLength(requestsBefore);
    expect(await endsOf(world, id)).toHaveLength(1);
  });
});
