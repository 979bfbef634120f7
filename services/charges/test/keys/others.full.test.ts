import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { doneThenReset, error500, rounds } from '@plataforma/testing';
import type { Client } from '../support/client.ts';
import { disputeOf } from '../support/dispute.ts';
import { newTenant, operatorHeader } from '../support/identity.ts';
import { isUnderWay, type Keyed, postKeyed, repeatable, saidIn } from '../support/keyed.ts';
import { newOperator, type RefundWorld, startRefundWorld } from '../support/refund-world.ts';
import type { Replica } from '../support/world.ts';

let world: RefundWorld;
let second: Replica;

beforeAll(async () => {
  // Without a clock: what is paid here, a request has paid.
  world = await startRefundWorld({ tuning: { scheduleEveryMs: 3_600_000 } });
  second = await world.startReplica();
});
afterAll(() => world.stop());

const ROUNDS = rounds(20);
type Ask = (client: Client) => Promise<Keyed>;

async function pending() {
  const tenant = newTenant();
  const charge = await world.client.newCharge(tenant);
  const path = `/v1/charges/${charge.id}/simulate-payment`;
  const payments = () => world.provider.book.find(charge.txid)?.payments ?? [];
  return { ...charge, tenant, payments, ask: repeatable({ tenant, path }) };
}

async function disputed() {
  const { id, tenant } = await world.paidCharge();
  const dispute = disputeOf(await world.dispute(id));
  const path = `/v1/disputes/${dispute.id}/evidence`;
  const body = { description: 'A mercadoria foi entregue.' };
  return { tenant, path, body, ask: repeatable({ tenant, path, body }) };
}

async function disputable() {
  const charge = await world.paidCharge();
  const headers = operatorHeader(newOperator());
  const body = { chargeId: charge.id, reason: 'FRAUD', description: 'the payer says it was not them' };
  const ask = (client: Client) =>
    postKeyed(client, { headers, path: '/v1/admin/disputes', key: 'one key', body });
  const known = () => world.database.query('SELECT id FROM disputes WHERE charge_id = $1', [charge.id]);
  const audited = () =>
    world.database.query(
      `SELECT id FROM audit_log WHERE action = 'dispute.open' AND before IS NOT NULL
      AND subject_id IN (SELECT id FROM disputes WHERE charge_id = $1)`,
      [charge.id],
    );
  return { charge, headers, body, ask, known, audited };
}

/** All are told the same, one of them for the first time. */
async function expectOneAnswer(ask: Ask, status: number): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => ask((i % 2 ? world : second).client)),
  );
  const told = answers.filter((answer) => !isUnderWay(answer));
  const last = await ask(world.client);
  expect([last.status, last.isReplay]).toEqual([status, true]);
  expect(told.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
  for (const answer of told) expect(saidIn(answer)).toEqual(saidIn(last));
}

describe('a simulated payment with a key', () => {
  test('is answered as the first time, and pays once', async () => {
    const { id, ask, payments } = await pending();
    const first = await ask(world.client);

    const again = await ask(second.client);

    expect([first.status, first.isReplay, again.isReplay]).toEqual([200, false, true]);
    expect(saidIn(again)).toEqual(saidIn(first));
    expect([payments().length, (await world.eventsOf(id)).length]).toEqual([1, 1]);
  });

  test.each([
    ['before it was paid', error500],
    ['after it was paid', doneThenReset],
  ])('is gone on with when the sandbox failed %s', async (_when, fault) => {
    const { txid, ask, payments } = await pending();
    world.provider.next('pay', fault);
    const open = await ask(world.client);
    if (fault === doneThenReset) await world.client.notify(txid);

    const again = await ask(second.client);

    expect([open.status, again.status, again.isReplay]).toEqual([503, 200, false]);
    expect(again.data).toMatchObject({ txid, status: 'PAID' });
    expect(payments()).toHaveLength(1);
    expect((await ask(world.client)).isReplay).toBe(true);
  });

  test('of a charge that is paid already is refused, as without one', async () => {
    const { tenant, id, ask } = await pending();
    await world.client.simulate(tenant, id);

    const answer = await ask(world.client);

    expect([answer.status, answer.error?.code]).toEqual([409, 'CHARGE_NOT_PAYABLE']);
  });

  test(`at once has one answer, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { ask, payments } = await pending();

      await expectOneAnswer(ask, 200);

      expect(payments()).toHaveLength(1);
    }
  });
});

describe('evidence with a key', () => {
  test('is answered as the first time; without that key it is too late', async () => {
    const { tenant, path, body, ask } = await disputed();
    const first = await ask(world.client);

    const again = await ask(second.client);
    const other = await repeatable({ tenant, path, body })(world.client);

    expect([first.status, first.isReplay, again.isReplay]).toEqual([200, false, true]);
    expect(saidIn(again)).toEqual(saidIn(first));
    expect([other.status, other.error?.code]).toEqual([409, 'INVALID_STATE']);
  });

  test(`at once has one answer, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) await expectOneAnswer((await disputed()).ask, 200);
  });
});

describe('a dispute that an operator opens with a key', () => {
  test('is answered as the first time, is opened and audited once, and the key is the operator’s', async () => {
    const { body, ask, known, audited } = await disputable();
    const first = await ask(world.client);

    const again = await ask(second.client);
    const headers = operatorHeader(newOperator());
    const path = '/v1/admin/disputes';
    const colleague = await postKeyed(world.client, { headers, path, key: 'one key', body });

    expect([first.status, first.isReplay, again.isReplay]).toEqual([201, false, true]);
    expect(saidIn(again)).toEqual(saidIn(first));
    expect([colleague.status, colleague.error?.code]).toEqual([409, 'INVALID_STATE']);
    expect([(await known()).length, (await audited()).length]).toEqual([1, 1]);
  });

  test(`at once has one answer, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { ask, known, audited } = await disputable();

      await expectOneAnswer(ask, 201);

      expect([(await known()).length, (await audited()).length]).toEqual([1, 1]);
    }
  });
});
