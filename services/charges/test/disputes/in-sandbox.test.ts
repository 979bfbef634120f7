import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { type Behaviour, doneThen500, doneThenReset, error500 } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { startCardWorld } from '../support/card-world.ts';
import { codeOf } from '../support/client.ts';
import { newTenant } from '../support/identity.ts';
import { isUnderWay, repeatable, saidIn } from '../support/keyed.ts';

const world = worldOfFile(startCardWorld);

const disputeOf = ({ data }: { data?: unknown }) => api.disputeSandboxCharge.data.parse(data);

type Tenant = ReturnType<typeof newTenant>;

const contest = (tenant: Tenant, id: string, body: object = {}) =>
  world.call(tenant, `/v1/sandbox/charges/${id}/dispute`, body);
const resolve = (tenant: Tenant, id: string, outcome: string) =>
  world.call(tenant, `/v1/sandbox/disputes/${id}/resolve`, { outcome });

async function paidPix() {
  const tenant = newTenant();
  const { id, txid } = await world.client.newCharge(tenant);
  await world.client.simulate(tenant, id);
  return { tenant, id, txid, status: async () => (await world.client.charge(tenant, id)).status };
}

function infractionsOf(txid: string) {
  const numbers = world.provider.book.find(txid)?.payments.map(({ endToEndId }) => endToEndId);
  return world.provider.book.infractions.all().filter(({ endToEndId }) => numbers?.includes(endToEndId));
}

/**
 * Creates a paid card charge, and a function that charges the payment back, as the cardholder's bank does.
 */
async function paidCard() {
  const tenant = world.newShop();
  const { id, acquirerId, amount } = await world.paidCharge(tenant);
  const chargeBack = (reason = 'not_received') => {
    world.acquirer.book.chargeBack(acquirerId, { amount, reason });
    return { status: 200, body: {} };
  };
  return { tenant, id, amount, chargeBack };
}

describe('disputing a Pix charge in the sandbox', () => {
  test('reports an infraction at the bank and opens one dispute', async () => {
    const { tenant, id, status } = await paidPix();

    const answer = await contest(tenant, id, { reason: 'OPERATIONAL', amount: 900, description: 'em dobro' });

    expect(answer.status).toBe(200);
    expect(disputeOf(answer)).toMatchObject({
      chargeId: id,
      amount: 900,
      reason: 'OPERATIONAL',
      networkReason: 'OPERATIONAL_FLAW',
      description: 'em dobro',
      status: 'OPEN',
    });
    const { data } = await world.call(tenant, `/v1/disputes?chargeId=${id}`);
    expect(data).toMatchObject([{ id: disputeOf(answer).id, networkReason: 'OPERATIONAL_FLAW' }]);
    expect(await status()).toBe('DISPUTED');
    expect(await world.eventsOf(disputeOf(answer).id)).toMatchObject([{ type: 'dispute.opened' }]);
  });

  test.each<[string, Behaviour]>([
    ['before the bank did it', error500],
    ['after the bank did it', doneThen500],
    ['after the bank did it, on a lost connection', doneThenReset],
  ])('with an answer lost %s opens one dispute under its key', async (_what, behaviour) => {
    const { tenant, id, txid } = await paidPix();
    const ask = repeatable({ tenant, path: `/v1/sandbox/charges/${id}/dispute` });
    world.provider.next('dispute', behaviour);

    const [stuck, again, replay] = [
      await ask(world.client),
      await ask(world.client),
      await ask(world.client),
    ];

    expect([stuck.status, again.status, replay.isReplay]).toEqual([503, 200, true]);
    expect(saidIn(replay)).toEqual(saidIn(again));
    expect(infractionsOf(txid)).toHaveLength(1);
    expect(await world.eventsOf(disputeOf(again).id)).toHaveLength(1);
  });

  test('concerns the payment that paid it, not an earlier one', async () => {
    const tenant = newTenant();
    const { id, txid, amount } = await world.client.newCharge(tenant);
    await world.client.payInSandbox(tenant, id, { amount: 100 });
    await world.client.payInSandbox(tenant, id);

    const answer = await contest(tenant, id);

    expect(disputeOf(answer)).toMatchObject({ chargeId: id, amount });
    const { endToEndId } = await world.client.charge(tenant, id);
    expect(infractionsOf(txid).map((infraction) => infraction.endToEndId)).toEqual([endToEndId]);
  });

  test('five times at once opens one dispute', async () => {
    const { tenant, id } = await paidPix();

    const answers = await Promise.all(Array.from({ length: 5 }, () => contest(tenant, id)));

    const opened = answers.filter(({ status }) => status === 200);
    expect(new Set(opened.map((answer) => disputeOf(answer).id)).size).toBe(1);
    for (const answer of answers) {
      expect(answer.status === 200 || isUnderWay(answer) || answer.error?.code === 'INVALID_STATE').toBe(
        true,
      );
    }
  });

  test('is refused a second time or for an unknown reason', async () => {
    const { tenant, id } = await paidPix();
    const unknown = await contest(tenant, id, { reason: 'NOT_RECEIVED' });
    const first = await contest(tenant, id);
    await resolve(tenant, disputeOf(first).id, 'MERCHANT');

    const second = await contest(tenant, id);

    expect([unknown.status, unknown.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect([second.status, second.error?.code]).toEqual([409, 'INVALID_STATE']);
  });

  test('is INVALID_STATE before its payment, without a bank request', async () => {
    const tenant = newTenant();
    const { id, txid } = await world.client.newCharge(tenant);

    expect(await codeOf(contest(tenant, id))).toEqual([409, 'INVALID_STATE']);
    expect(world.provider.requestsFor(txid, 'dispute')).toEqual([]);
  });
});

describe('disputing a card charge in the sandbox', () => {
  test('reports a chargeback at the acquirer and opens a dispute', async () => {
    const { tenant, id, amount, chargeBack } = await paidCard();
    world.provider.next('charge-back', () => chargeBack());

    const answer = await contest(tenant, id, { reason: 'NOT_RECEIVED' });

    expect(disputeOf(answer)).toMatchObject({ chargeId: id, amount, reason: 'NOT_RECEIVED', status: 'OPEN' });
    const [order] = world.provider.requests.filter(({ txid }) => txid === id);
    expect(JSON.parse(order?.body ?? '')).toEqual({ reason: 'NOT_RECEIVED' });
  });

  test('with a lost answer opens one dispute under its key', async () => {
    const { tenant, id, chargeBack } = await paidCard();
    const ask = repeatable({ tenant, path: `/v1/sandbox/charges/${id}/dispute` });
    const already = { status: 409, body: { error: { message: 'the charge is chargedback' } } };
    world.provider.next(
      'charge-back',
      () => {
        chargeBack();
        return { status: 500, body: {} };
      },
      () => already,
    );

    const [stuck, again] = [await ask(world.client), await ask(world.client)];

    expect([stuck.status, again.status]).toEqual([503, 200]);
    expect(await world.eventsOf(disputeOf(again).id)).toHaveLength(1);
  });

  test('is INVALID_STATE a second time, without a bank request', async () => {
    const { tenant, id, chargeBack } = await paidCard();
    world.provider.next('charge-back', () => chargeBack());
    const first = disputeOf(await contest(tenant, id));
    expect((await resolve(tenant, first.id, 'MERCHANT')).status).toBe(200);

    expect(await codeOf(contest(tenant, id))).toEqual([409, 'INVALID_STATE']);
    expect(world.provider.requestsFor(id, 'charge-back')).toHaveLength(1);
  });
});

describe('ending a sandbox dispute', () => {
  test.each([
    ['MERCHANT', 'RESOLVED_MERCHANT', 'PAID'],
    ['CUSTOMER', 'RESOLVED_CUSTOMER', 'REFUNDED'],
    ['CANCELLED', 'CANCELLED', 'PAID'],
  ])('for %s makes it %s, and the charge %s', async (outcome, ended, charge) => {
    const { tenant, id, status } = await paidPix();
    const { id: disputeId } = disputeOf(await contest(tenant, id));

    const answer = await resolve(tenant, disputeId, outcome);
    const again = await resolve(tenant, disputeId, outcome);

    expect([answer.status, disputeOf(answer).status, await status()]).toEqual([200, ended, charge]);
    expect([again.status, again.error?.code]).toEqual([409, 'INVALID_STATE']);
    expect(await world.eventsOf(disputeId)).toMatchObject([
      { type: 'dispute.opened' },
      { type: 'dispute.resolved' },
    ]);
  });

  test('is refused for another merchant’s or a production dispute', async () => {
    const other = await paidPix();
    const { id: disputeId } = disputeOf(await contest(other.tenant, other.id));
    const live = newTenant('production');
    const charge = await world.client.newCharge(live);
    world.provider.book.pay(charge.txid);
    await world.client.notify(charge.txid);
    const notice = { chargeId: charge.id, reason: '10.4', description: 'não reconhece' };
    const { id: ofLive } = disputeOf(await world.operate('/disputes', notice));

    const answers = [
      await resolve(newTenant(), disputeId, 'CUSTOMER'),
      await resolve({ ...live, environment: 'sandbox' }, ofLive, 'MERCHANT'),
      await resolve(live, ofLive, 'MERCHANT'),
      await contest(live, charge.id),
    ];

    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual([
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [403, 'SANDBOX_ONLY'],
      [403, 'SANDBOX_ONLY'],
    ]);
    expect((await world.client.charge(live, charge.id)).status).toBe('DISPUTED');
  });
});
