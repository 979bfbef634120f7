import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Behaviour, doneThenSilence, silence } from '@plataforma/testing';
import { repeatable, saidIn } from '../support/keyed.ts';
import { type RefundWorld, startRefundWorld } from '../support/refund-world.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let world: RefundWorld;
let doomed: ServiceProcess;

beforeAll(async () => {
  world = await startRefundWorld();
  await world.first.stop();
});
afterEach(() => doomed.kill());
afterAll(() => world.stop());

const atLedger = (behaviour: Behaviour) => world.ledger.next(behaviour);
const atProvider = (behaviour: Behaviour) => world.provider.next('refund', behaviour);

describe('a process killed while it refunds with a key', () => {
  test.each<[string, (behaviour: Behaviour) => void, Behaviour]>([
    ['before the ledger took the money', atLedger, silence],
    ['after the ledger took it', atLedger, doneThenSilence],
    ['before the provider heard of it', atProvider, silence],
    ['after the provider did it', atProvider, doneThenSilence],
  ])('%s leaves one that the same request tells the end of', async (_when, meet, behaviour) => {
    doomed = await startServiceProcess(world.env);
    const charge = await world.paidCharge({}, { at: doomed.client });
    const path = `/v1/charges/${charge.id}/refund`;
    const ask = repeatable({ tenant: charge.tenant, path, body: { amount: 1100 } });
    const met = Promise.withResolvers<void>();
    meet(async (perform) => {
      const reply = await behaviour(perform);
      met.resolve();
      return reply;
    });
    const asking = ask(doomed.client).catch(() => 'the connection broke');
    await met.promise;
    await doomed.kill();

    const successor = await world.startReplica();
    await charge.becomes('DONE');
    const first = await ask(successor.client);
    const again = await ask(successor.client);

    expect(await asking).toBe('the connection broke');
    expect([first.status, first.isReplay, again.isReplay]).toEqual([200, false, true]);
    expect(first.data).toMatchObject({ id: charge.id, status: 'REFUNDED', refundedAmount: 1100 });
    expect(saidIn(again)).toEqual(saidIn(first));
    expect([charge.debited(), charge.returned().length]).toEqual([[1100], 1]);
    await successor.stop();
  });
});
