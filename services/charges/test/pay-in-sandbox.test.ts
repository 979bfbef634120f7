import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { type Behaviour, doneThen500, doneThenReset, error500, eventually, reset } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import type { Answered } from './support/client.ts';
import { newTenant } from './support/identity.ts';
import { expectOneAnswer, repeatable, saidIn } from './support/keyed.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

async function pending() {
  const tenant = newTenant();
  const charge = await world.client.newCharge(tenant);
  const path = `/v1/sandbox/charges/${charge.id}/pay`;
  return {
    ...charge,
    tenant,
    now: () => world.client.charge(tenant, charge.id),
    atBank: () => world.provider.book.find(charge.txid)?.payments ?? [],
    pay: (body: object = {}, client = world.client) => client.payInSandbox(tenant, charge.id, body),
    keyed: (body: object) => repeatable({ tenant, path, body }),
    unmatched: async () => (await world.call(tenant, `/v1/unexpected-payments?chargeId=${charge.id}`)).data,
    types: async () => (await world.eventsOf(charge.id)).map(({ type }) => type),
  };
}

const causesIn = ({ data }: Answered) =>
  api.paySandboxCharge.data.parse(data).payments.map(({ amount, cause }) => [amount, cause]);

describe('paying a sandbox charge as its payer', () => {
  test('in the exact amount pays it', async () => {
    const { id, txid, pay, atBank, now, types } = await pending();

    const { status, data } = await pay();

    const [payment] = atBank();
    const payments = [{ endToEndId: payment?.endToEndId, amount: 2500, cause: null }];
    expect([status, data]).toEqual([200, { id, txid, status: 'PAID', paidAt: payment?.horario, payments }]);
    expect([(await now()).endToEndId, await types()]).toEqual([payment?.endToEndId, ['charge.paid']]);
  });

  test('in another amount leaves it PENDING and is returned', async () => {
    const { pay, now, unmatched, types } = await pending();

    const answer = await pay({ amount: 1250, times: 2 });

    expect(causesIn(answer)).toEqual([
      [1250, 'WRONG_AMOUNT'],
      [1250, 'WRONG_AMOUNT'],
    ]);
    expect([(await now()).status, await types()]).toEqual(['PENDING', []]);
    const returned = { cause: 'WRONG_AMOUNT', status: 'RETURNED' };
    await eventually(async () => expect(await unmatched()).toMatchObject([returned, returned]));
  });

  test('twice pays it once and returns the second payment', async () => {
    const { pay, unmatched, types } = await pending();

    const answer = await pay({ times: 2 });

    expect(causesIn(answer)).toEqual([
      [2500, null],
      [2500, 'DUPLICATE'],
    ]);
    expect(await types()).toEqual(['charge.paid']);
    await eventually(async () =>
      expect(await unmatched()).toMatchObject([{ cause: 'DUPLICATE', status: 'RETURNED' }]),
    );
  });

  test('late expires it first and does not pay it', async () => {
    const { pay, now, types } = await pending();

    const answer = await pay({ late: true });

    expect(causesIn(answer)).toEqual([[2500, 'LATE']]);
    const { status, expiresAt, paidAt } = await now();
    expect([status, paidAt, await types()]).toEqual(['EXPIRED', null, ['charge.expired']]);
    expect(new Date(String(expiresAt)).getTime()).toBeLessThanOrEqual(Date.now());
  });

  test('late is accepted for a PAID or CANCELLED charge', async () => {
    const [paid, cancelled] = [await pending(), await pending()];
    await paid.pay();
    await world.client.cancel(cancelled.tenant, cancelled.id);

    const answers = [await paid.pay({ late: true }), await cancelled.pay({ late: true })];

    expect(answers.map(causesIn)).toEqual([[[2500, 'DUPLICATE']], [[2500, 'LATE']]]);
    expect([(await paid.now()).status, (await cancelled.now()).status]).toEqual(['PAID', 'CANCELLED']);
  });
});

describe('two payers at once', () => {
  test('pay the charge once at two replicas', async () => {
    const second = await world.startReplica();
    const { pay, atBank, types } = await pending();

    const answers = await Promise.all([pay({}), pay({}, second.client)]);

    const causes = answers.flatMap((answer) => (answer.status === 200 ? causesIn(answer) : []));
    expect(causes.filter(([, cause]) => cause === null)).toHaveLength(1);
    expect(causes.length).toBe(atBank().length);
    expect(await types()).toEqual(['charge.paid']);
    await second.stop();
  });
});

describe('a repeated sandbox payment', () => {
  test.each<[string, Behaviour]>([
    ['before the bank did it', error500],
    ['before the bank did it, on a lost connection', reset],
    ['after the bank did it', doneThen500],
    ['after the bank did it, on a lost connection', doneThenReset],
  ])('with an answer lost %s is made once under its key', async (_what, behaviour) => {
    const { keyed, atBank, types } = await pending();
    const ask = keyed({ times: 2 });
    world.provider.next('pay', behaviour);

    const stuck = await ask(world.client);
    const again = await ask(world.client);
    const replay = await ask(world.client);

    expect([stuck.status, stuck.error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(causesIn(again)).toEqual([
      [2500, null],
      [2500, 'DUPLICATE'],
    ]);
    expect([replay.isReplay, saidIn(replay)]).toEqual([true, saidIn(again)]);
    expect([atBank().length, await types()]).toEqual([2, ['charge.paid']]);
  });

  test('late is made once under its key, after the expiry', async () => {
    const { keyed, atBank, types } = await pending();
    const ask = keyed({ late: true });
    world.provider.next('pay', doneThen500);

    const [stuck, again] = [await ask(world.client), await ask(world.client)];

    expect([stuck.status, causesIn(again)]).toEqual([503, [[2500, 'LATE']]]);
    expect([atBank().length, await types()]).toEqual([1, ['charge.expired']]);
  });

  test('sent six times to two replicas is made once', async () => {
    const second = await world.startReplica();
    const { keyed, atBank, types } = await pending();

    const last = await expectOneAnswer([world.client, second.client], keyed({}));

    expect([last.status, causesIn(last)]).toEqual([200, [[2500, null]]]);
    expect([atBank().length, await types()]).toEqual([1, ['charge.paid']]);
    await second.stop();
  });
});

describe('paying an unavailable charge in the sandbox', () => {
  test('is NOT_FOUND for another merchant’s or a production charge', async () => {
    const [other, live] = [await pending(), newTenant('production')];
    const { id } = await world.client.newCharge(live);
    const ofSandbox = { ...live, environment: 'sandbox' as const };

    const answers = [
      await world.client.payInSandbox(newTenant(), other.id),
      await world.client.payInSandbox(ofSandbox, id),
    ];

    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
      Array(2).fill([404, 'NOT_FOUND']),
    );
    expect(other.atBank()).toEqual([]);
  });

  test('is NO_SANDBOX_BANK with another provider', async () => {
    const { pay, now } = await pending();
    world.provider.next('pay', () => ({ status: 404, body: {} }));

    const { status, error } = await pay();

    expect([status, error?.code, (await now()).status]).toEqual([409, 'NO_SANDBOX_BANK', 'PENDING']);
  });
});
