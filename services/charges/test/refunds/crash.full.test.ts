import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Behaviour, doneThenSilence, eventually, silence } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { killAt, type Meet, met } from '../support/crashes.ts';
import { repeatable, saidIn } from '../support/keyed.ts';
import { startRefundWorld } from '../support/refund-world.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const world = worldOfFile(startRefundWorld);
let doomed: ServiceProcess;

beforeAll(() => world.first.stop());
beforeEach(async () => {
  doomed = await startServiceProcess(world.env);
});
afterEach(() => doomed.kill());

const atLedger: Meet = (behaviour) => world.ledger.next(behaviour);
const atProvider: Meet = (behaviour) => world.provider.next('refund', behaviour);

describe.each<[string, string, Meet, Behaviour]>([
  ['before the ledger’s debit', 'REQUESTED', atLedger, silence],
  ['after the ledger’s debit, before its answer', 'REQUESTED', atLedger, doneThenSilence],
  ['after the debit, before the provider received it', 'DEBITED', atProvider, silence],
  ['after the provider’s return, before its answer', 'DEBITED', atProvider, doneThenSilence],
])('a process killed while it refunds, %s,', (_when, left, meet, behaviour) => {
  test(`leaves it ${left}; another replica completes it once`, async () => {
    const charge = await world.paidCharge({}, { at: doomed.client });
    await killAt(met(meet, behaviour), doomed, () => charge.refund({ amount: 1100, reason: 'Não serviu' }));
    const [abandoned] = await charge.refunds();

    const successor = await world.startReplica();
    await charge.becomes('DONE');

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

  test('leaves a refund that the same keyed request returns', async () => {
    const charge = await world.paidCharge({}, { at: doomed.client });
    const path = `/v1/charges/${charge.id}/refund`;
    const ask = repeatable({ tenant: charge.tenant, path, body: { amount: 1100 } });
    await killAt(met(meet, behaviour), doomed, () => ask(doomed.client));

    const successor = await world.startReplica();
    await charge.becomes('DONE');
    const first = await ask(successor.client);
    const again = await ask(successor.client);

    expect([first.status, first.isReplay, again.isReplay]).toEqual([200, false, true]);
    expect(first.data).toMatchObject({ id: charge.id, status: 'REFUNDED', refundedAmount: 1100 });
    expect(saidIn(again)).toEqual(saidIn(first));
    expect([charge.debited(), charge.returned().length]).toEqual([[1100], 1]);
    await successor.stop();
  });
});

describe('a process killed while it returns an unexpected payment', () => {
  test.each<[string, Behaviour]>([
    ['before the provider received it', silence],
    ['after the provider’s return, before its answer', doneThenSilence],
  ])('%s leaves the return to another replica', async (_when, behaviour) => {
    const charge = await world.paidCharge({}, { at: doomed.client });
    const [twice] = world.provider.book.pay(charge.txid, { insists: true });
    const endToEndId = twice?.endToEndId ?? '';
    const requestMet = met(atProvider, behaviour);
    await doomed.client.notify(charge.txid);
    await requestMet;
    await doomed.kill();

    const successor = await world.startReplica();
    const returned = `SELECT status FROM unexpected_payments WHERE end_to_end_id = $1
      AND status = 'RETURNED'`;
    await eventually(async () => expect(await world.database.query(returned, [endToEndId])).toHaveLength(1));

    expect(world.provider.book.returns.of(endToEndId)).toMatchObject([{ status: 'DEVOLVIDO' }]);
    expect(charge.returned()).toEqual([]);
    await successor.stop();
  });
});
