import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Behaviour } from '@plataforma/testing';
import { doneThenSilence, eventually, silence } from '@plataforma/testing';
import { type PaidCharge, type RefundWorld, startRefundWorld } from '../support/refund-world.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let world: RefundWorld;
let doomed: ServiceProcess;

beforeAll(async () => {
  world = await startRefundWorld();
  await world.first.stop();
});
afterEach(() => doomed.kill());
afterAll(() => world.stop());

/** Kills the process once somebody has met its request with `behaviour`. */
async function killWhen(
  meet: (behaviour: Behaviour) => void,
  behaviour: Behaviour,
  charge: PaidCharge,
): Promise<void> {
  const met = Promise.withResolvers<void>();
  meet(async (perform) => {
    const reply = await behaviour(perform);
    met.resolve();
    return reply;
  });
  const asking = charge.refund({ amount: 1100, reason: 'Não serviu' }).catch(() => 'the connection broke');
  await met.promise;
  await doomed.kill();
  expect(await asking).toBe('the connection broke');
}

const atLedger = (behaviour: Behaviour) => world.ledger.next(behaviour);
const atProvider = (behaviour: Behaviour) => world.provider.next('refund', behaviour);

describe('a process killed while it refunds', () => {
  test.each<[string, string, (behaviour: Behaviour) => void, Behaviour]>([
    ['before the ledger took the money', 'REQUESTED', atLedger, silence],
    ['after the ledger took it, before it knew', 'REQUESTED', atLedger, doneThenSilence],
    ['after the debit, before the provider heard of it', 'DEBITED', atProvider, silence],
    ['after the provider did it, before it knew', 'DEBITED', atProvider, doneThenSilence],
  ])('%s leaves it %s, and another replica finishes it, once', async (_when, left, meet, behaviour) => {
    doomed = await startServiceProcess(world.env);
    const charge = await world.paidCharge({}, { at: doomed.client });
    await killWhen(meet, behaviour, charge);
    const [abandoned] = await charge.refunds();

    const successor = await world.startReplica();
    await eventually(async () => expect(await charge.refunds()).toMatchObject([{ status: 'DONE' }]));

    expect(abandoned).toMatchObject({ status: left });
    expect(await successor.client.charge(charge.tenant, charge.id)).toMatchObject({
      status: 'REFUNDED',
      refundedAmount: 1100,
      refundReason: 'Não serviu',
    });
    expect([charge.debited(), charge.returned().length]).toEqual([[1100], 1]);
    expect(await charge.announced()).toEqual(['charge.refunded']);
    await successor.stop();
  });
});

describe('a process killed while it returns what nobody expected', () => {
  test.each<[string, Behaviour]>([
    ['before the provider heard of it', silence],
    ['after the provider did it, before it knew', doneThenSilence],
  ])('%s leaves it to another replica, and it goes back once', async (_when, behaviour) => {
    doomed = await startServiceProcess(world.env);
    const charge = await world.paidCharge({}, { at: doomed.client });
    const [twice] = world.provider.book.pay(charge.txid, { insists: true });
    const endToEndId = twice?.endToEndId ?? '';
    const met = Promise.withResolvers<void>();
    world.provider.next('refund', async (perform) => {
      const reply = await behaviour(perform);
      met.resolve();
      return reply;
    });
    await doomed.client.notify(charge.txid);
    await met.promise;
    await doomed.kill();

    const successor = await world.startReplica();
    const returned = `SELECT status FROM unexpected_payments WHERE end_to_end_id = $1 AND status = 'RETURNED'`;
    await eventually(async () => expect(await world.database.query(returned, [endToEndId])).toHaveLength(1));

    expect(world.provider.book.returns.of(endToEndId)).toMatchObject([{ status: 'DEVOLVIDO' }]);
    expect(charge.returned()).toEqual([]);
    await successor.stop();
  });
});
