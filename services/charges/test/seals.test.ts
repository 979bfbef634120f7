import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { error500 } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { newOrder } from './support/client.ts';
import { newTenant } from './support/identity.ts';
import { insiderOf } from './support/insider.ts';
import { startRefundWorld } from './support/refund-world.ts';

/** Leases and intervals so long that the service works on a row only when the test makes the row due. */
const SLOW = { leaseMs: 30_000, readListsEveryMs: 3_600_000, firstPollMs: 3_600_000 };
const world = worldOfFile(() => startRefundWorld({ tuning: SLOW }));
const insider = insiderOf(world);

const isRefused = ({ status }: { status: number }) => status === 404 || status === 409;
const requestsFor = (txid: string) =>
  world.provider.requests.filter(
    (request) => request.txid === txid && ['create', 'remove', 'refund'].includes(request.operation),
  ).length;

/** Returns false if the flip hides the order's charge from the service, which then may create another. */
const isSameOrder = (flip: string) =>
  !/^(external_id|merchant_id|environment|status|checkout_id|payment_link_id) /.test(flip);

describe('a charge whose row was changed in the database', () => {
  test('is neither paid, cancelled nor shown with its code while it is PENDING', async () => {
    const tenant = newTenant('production');
    const charge = await world.client.newCharge(tenant);
    const { id, txid } = charge;
    world.provider.book.pay(txid);
    const before = requestsFor(txid);
    let tried = 0;
    for await (const flip of insider.flips('charges', id)) {
      const flipped = await insider.contents('charges', id);
      await world.client.notify(txid, flipped.txid);
      const cancelled = await world.client.cancel(tenant, id);
      const { data } = await world.client.checkout(id);
      if (flipped.status === 'PENDING') await insider.letSchedulerTry('charges', id);
      expect([flip, isRefused(cancelled)]).toEqual([flip, true]);
      expect([flip, (data as { qrCode?: string } | undefined)?.qrCode]).toEqual([flip, undefined]);
      expect([flip, await insider.contents('charges', id)]).toEqual([flip, flipped]);
      tried += 1;
    }
    expect(tried).toBeGreaterThan(25);
    expect(await world.paymentsOf(id)).toEqual([]);
    expect(await world.eventsOf(id)).toEqual([]);
    expect(requestsFor(txid)).toBe(before);

    await world.client.notify(txid);
    expect(await world.client.charge(tenant, id)).toMatchObject({ status: 'PAID' });
  });

  test('is not registered at the provider', async () => {
    const tenant = newTenant('production');
    const order = newOrder();
    world.provider.always('create', error500);
    await world.client.create(tenant, order);
    world.provider.always('create');
    const [{ id = '', txid = '' } = {}] = await world.attemptsOf(order.externalId);
    const before = requestsFor(txid);
    for await (const flip of insider.flips('charges', id)) {
      const flipped = await insider.contents('charges', id);
      if (flipped.status === 'PENDING') await insider.letSchedulerTry('charges', id);
      if (isSameOrder(flip)) await world.client.create(tenant, order);
      expect([flip, await insider.contents('charges', id)]).toEqual([flip, flipped]);
    }
    expect(requestsFor(txid)).toBe(before);

    expect(await world.client.create(tenant, order)).toMatchObject({
      data: { id, qrCode: expect.any(String) },
    });
  });

  test('is neither refunded nor disputed after it was PAID', async () => {
    const charge = await world.paidCharge();
    const { id } = charge;
    for await (const flip of insider.flips('charges', id)) {
      const flipped = await insider.contents('charges', id);
      const answers = [await charge.refund(), await world.dispute(id)];
      expect([flip, answers.map(isRefused)]).toEqual([flip, [true, true]]);
      expect([flip, await insider.contents('charges', id)]).toEqual([flip, flipped]);
    }
    expect([await charge.refunds(), charge.debited(), charge.returned()]).toEqual([[], [], []]);

    expect(await charge.refund()).toMatchObject({ status: 200, data: { status: 'REFUNDED' } });
  });
});

describe('a refund whose row was changed in the database', () => {
  test.each(['REQUESTED', 'DEBITED', 'ACCEPTED'])(
    'is neither debited nor sent while it is %s',
    async (status) => {
      const charge = await world.paidCharge();
      world.ledger.always(error500);
      await charge.refund();
      world.ledger.always();
      const [{ id = '' } = {}] = await charge.refunds();
      const accepted = status === 'ACCEPTED' ? 'now()' : 'NULL';
      await world.database.query(
        `UPDATE refunds SET status = '${status}', accepted_at = ${accepted},
        next_check_at = now() + interval '1 day',
        lease_token = NULL, lease_until = NULL WHERE id = $1`,
        [id],
      );
      for await (const flip of insider.flips('refunds', id)) {
        const flipped = await insider.contents('refunds', id);
        const isOpen =
          ['REQUESTED', 'DEBITED', 'ACCEPTED'].includes(String(flipped.status)) || flipped.is_watched;
        if (isOpen) await insider.letSchedulerTry('refunds', id);
        if (flipped.charge_id === charge.id && flipped.status !== 'REFUSED')
          expect([flip, isRefused(await charge.refund())]).toEqual([flip, true]);
        expect([flip, await insider.contents('refunds', id)]).toEqual([flip, flipped]);
      }
      expect([charge.debited(), charge.returned()]).toEqual([[], []]);
      if (status === 'ACCEPTED') return;

      await insider.letSchedulerTry('refunds', id);
      await charge.becomes('DONE');
      expect(charge.returned()).toHaveLength(1);
    },
  );
});

test('a refund that nobody requested is neither debited nor sent', async () => {
  const [charge, sale] = [await world.paidCharge(), await world.paidCharge()];
  await charge.refund();
  const [{ id: refundId = '' } = {}] = await charge.refunds();
  const forged = {
    ...{ id: newId(), charge_id: sale.id, ...ownerOf(sale.tenant), is_watched: false, status: 'REQUESTED' },
    ...{ accepted_at: null, ended_at: null, lease_token: null, lease_until: null, attempts_before: 0 },
  };
  for (const seal of [{ seal: null }, {}]) {
    await insider.forge('refunds', refundId, { ...forged, ...seal });
    await insider.letSchedulerTry('refunds', forged.id);
    expect([sale.debited(), sale.returned()]).toEqual([[], []]);
    expect(await insider.contents('refunds', forged.id)).toMatchObject({ status: 'REQUESTED' });
    await world.database.query('DELETE FROM refunds WHERE id = $1', [forged.id]);
  }
});

const ownerOf = ({ merchantId, environment }: { merchantId: string; environment: string }) => ({
  merchant_id: merchantId,
  environment,
});

test('the payer of a charge that was given to a thief does not pay the thief', async () => {
  const [victim, thief] = [newTenant('production'), newTenant('production')];
  const charge = await world.client.newCharge(victim);
  const own = await world.client.newCharge(thief);
  world.provider.book.pay(charge.txid);
  const setTxid = 'UPDATE charges SET txid = $2 WHERE id = $1';
  await insider.query(setTxid, [charge.id, newId().replaceAll('-', '')]);
  await insider.query(setTxid, [own.id, charge.txid]);

  const { status } = await world.client.notify(charge.txid);

  expect(status).not.toBe(200);
  expect(await insider.contents('charges', own.id)).toMatchObject({ status: 'PENDING' });
  expect([await world.paymentsOf(own.id), await world.eventsOf(own.id)]).toEqual([[], []]);
});

test('a charge that was not paid is shown as PAID in no response', async () => {
  const tenant = newTenant('production');
  const { id, externalId } = await world.client.newCharge(tenant);
  await insider.query(
    `UPDATE charges SET status = 'PAID', paid_at = now(), settles_at = now(), end_to_end_id = 'E' || txid
     WHERE id = $1`,
    [id],
  );

  expect(await world.call(tenant, `/v1/charges/${id}`)).toMatchObject({ status: 409 });
  expect(await world.client.checkout(id)).toMatchObject({ status: 409 });
  for (const query of ['', `externalId=${externalId}`, 'status=PAID'])
    expect([query, (await world.call(tenant, `/v1/charges?${query}`)).data]).toEqual([query, []]);
});
