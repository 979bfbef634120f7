import { describe, expect, test } from '@jest/globals';
import type { Behaviour } from '@plataforma/testing';
import { answeringWith, error500, eventually, nothingHere, silence } from '@plataforma/testing';
import { listenAs, worldOfFile } from '@plataforma/testing/world';
import { CALLBACK_SECRET, NO_CARD_NAMES } from './support/client.ts';
import { anonymousHeader, newTenant } from './support/identity.ts';
import { sharedWorld, type World } from './support/world.ts';

const world = worldOfFile(sharedWorld);

const readsOf = (txid: string) => world.provider.requestsFor(txid, 'read');

function post(path: string, body: unknown, client = world.client) {
  return client.send(path, { method: 'POST', headers: anonymousHeader(), body });
}

describe('a payment callback', () => {
  test('is applied although another Pix in it has a malformed number', async () => {
    const tenant = newTenant();
    const charge = await world.client.newCharge(tenant);
    world.provider.book.pay(charge.txid);

    const pix = [{ endToEndId: '\u0000' }, { txid: charge.txid, endToEndId: 'E\u00001' }];
    const { status } = await post(`/callbacks/pix/${CALLBACK_SECRET}`, { pix });

    expect([status, (await world.client.charge(tenant, charge.id)).status]).toEqual([200, 'PAID']);
  });

  test('makes the charge PAID with the provider’s data and announces it', async () => {
    const tenant = newTenant();
    const charge = await world.client.newCharge(tenant);
    const [pix] = world.provider.book.pay(charge.txid);

    const notified = await world.client.notify(charge.txid);

    const at = { paidAt: pix?.horario, settlesAt: pix?.horario };
    const paid = { ...charge, status: 'PAID', ...at, endToEndId: pix?.endToEndId };
    const { id, txid, externalId, paymentMethod, amount, feeAmount, netAmount, status, paidAt } = paid;
    expect([notified.status, notified.data]).toEqual([200, { received: 1 }]);
    expect(await world.client.charge(tenant, id)).toEqual(paid);
    expect(await world.eventsOf(id)).toEqual([
      {
        id: expect.any(String),
        type: 'charge.paid',
        version: 1,
        occurredAt: expect.any(String),
        ...tenant,
        aggregateId: id,
        sequence: 1,
        traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
        data: {
          ...{ id, txid, externalId, paymentMethod, amount, feeAmount, netAmount, status, paidAt },
          ...{ settlesAt: null, endToEndId: paid.endToEndId, ...NO_CARD_NAMES, metadata: {} },
          payerName: paid.payerName,
        },
      },
    ]);
  });

  test('is accepted at the address with a /pix suffix', async () => {
    const tenant = newTenant();
    const { id, txid } = await world.client.newCharge(tenant);
    world.provider.book.pay(txid);

    await post(`/callbacks/pix/${CALLBACK_SECRET}/pix`, { pix: [{ txid }] });

    expect((await world.client.charge(tenant, id)).status).toBe('PAID');
  });

  test('sent fifty times to two replicas pays once', async () => {
    const second = await world.startReplica();
    const ledger = await listenAs('ledger', world.env.AMQP_URL ?? '');
    const tenant = newTenant();
    const { id, txid } = await world.client.newCharge(tenant);
    world.provider.book.pay(txid);

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 ? world.client : second.client).notify(txid)),
    );

    const received = () => ledger.received.filter(({ aggregateId }) => aggregateId === id);
    await eventually(() => expect(received()).not.toEqual([]));
    await new Promise((passed) => setTimeout(passed, 200));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(await world.eventsOf(id)).toMatchObject([{ type: 'charge.paid', sequence: 1 }]);
    expect(received()).toEqual(await world.eventsOf(id));
    expect(await world.paymentsOf(id)).toMatchObject([{ amount_cents: 2500, is_expected: true }]);
    await Promise.all([ledger.stop(), second.stop()]);
  });

  test('for thirty charges pays each of them', async () => {
    const tenant = newTenant();
    const charges = await Promise.all(Array.from({ length: 30 }, () => world.client.newCharge(tenant)));
    for (const { txid } of charges) world.provider.book.pay(txid);

    const { data } = await world.client.notify(...charges.map(({ txid }) => txid), charges[0]?.txid);

    const { meta } = await world.client.list(tenant, '?status=PAID');
    expect(data).toEqual({ received: 30 });
    expect(meta).toMatchObject({ total: 30 });
  });
});

describe('a callback address during a change of its secret', () => {
  const next = 'o-segredo-seguinte-dos-avisos';
  const notifyWith = (client: World['client'], secret: string, txid: string) =>
    post(`/callbacks/pix/${secret}`, { pix: [{ txid }] }, client);

  test.each([`${CALLBACK_SECRET},${next}`, `${next},${CALLBACK_SECRET}`])(
    'accepts callbacks under the old and the new secret',
    async (PIX_CALLBACK_SECRET) => {
      const replica = await world.startReplica({}, { PIX_CALLBACK_SECRET });
      const tenant = newTenant();
      for (const secret of [CALLBACK_SECRET, next]) {
        const { id, txid } = await world.client.newCharge(tenant);
        world.provider.book.pay(txid);

        const { status } = await notifyWith(replica.client, secret, txid);

        expect([status, (await world.client.charge(tenant, id)).status]).toEqual([200, 'PAID']);
      }
      expect((await notifyWith(replica.client, PIX_CALLBACK_SECRET, 'a'.repeat(32))).status).toBe(404);
      await replica.stop();
    },
  );

  test('answers 404 under the old secret after its removal', async () => {
    const replica = await world.startReplica({}, { PIX_CALLBACK_SECRET: next });

    const { status } = await notifyWith(replica.client, CALLBACK_SECRET, 'a'.repeat(32));

    expect(status).toBe(404);
    expect((await notifyWith(replica.client, next, 'a'.repeat(32))).status).toBe(200);
    await replica.stop();
  });
});

describe('an untrusted payment callback', () => {
  test.each(['wrong', `${CALLBACK_SECRET}x`, CALLBACK_SECRET.slice(0, -1), '%00'])(
    'under the secret %s gets 404 without a provider request',
    async (secret) => {
      const { txid } = await world.client.newCharge(newTenant());

      const { status, error } = await post(`/callbacks/pix/${secret}`, { pix: [{ txid }] });

      expect([status, error?.code, readsOf(txid)]).toEqual([404, 'NOT_FOUND', []]);
    },
  );

  test('changes nothing when the provider reports no payment', async () => {
    const tenant = newTenant();
    const charge = await world.client.newCharge(tenant);

    const { status } = await world.client.notify(charge.txid);

    expect([status, readsOf(charge.txid).length]).toEqual([200, 1]);
    expect(await world.client.charge(tenant, charge.id)).toEqual(charge);
    expect(await world.eventsOf(charge.id)).toEqual([]);
  });

  const foreign = ['a'.repeat(32), '***', '', 'x'.repeat(35), '\u0000'.repeat(30)];
  test.each([...foreign, '../../../etc/passwd/../../x'])(
    'with a foreign txid causes no provider request: %j',
    async (txid) => {
      const { status } = await world.client.notify(txid, undefined);

      expect([status, readsOf(txid)]).toEqual([200, []]);
    },
  );

  test.each([7, null, {}, 'x'.repeat(36)])(
    'with the txid %j does not hide another Pix in it',
    async (txid) => {
      const charge = await world.client.newCharge(newTenant());

      const body = { pix: [{ txid }, { txid: charge.txid }] };
      const { status } = await post(`/callbacks/pix/${CALLBACK_SECRET}`, body);

      expect([status, readsOf(charge.txid).length]).toEqual([200, 1]);
    },
  );

  test.each([[], { pix: 'E1' }, { pix: ['E1'] }, { pix: Array(1001).fill({}) }])(
    'in another shape is a VALIDATION_ERROR',
    async (body) => {
      const { status, error } = await post(`/callbacks/pix/${CALLBACK_SECRET}`, body);

      expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});

describe('an unreliable provider', () => {
  const pix = { endToEndId: 'E1', valor: '25.00', horario: '2026-11-21T12:00:00Z' };

  test.each<[string, Behaviour, number]>([
    ['does not answer', silence, 503],
    ['answers 500', error500, 503],
    ['answers garbage', () => ({ status: 200, text: '{"status":' }), 502],
    ['does not find the charge', nothingHere, 502],
    ['answers another charge', answeringWith({ txid: 'a'.repeat(32) }), 502],
    ['writes an amount with a comma', answeringWith({ pix: [{ ...pix, valor: '25,00' }] }), 502],
    ['writes an invalid id of the payment', answeringWith({ pix: [{ ...pix, endToEndId: '\u0000' }] }), 502],
  ])('that %s leaves the charge PENDING until the next callback', async (_what, behaviour, expected) => {
    const tenant = newTenant();
    const { id, txid } = await world.client.newCharge(tenant);
    world.provider.book.pay(txid);
    world.provider.next('read', behaviour);

    const { status } = await world.client.notify(txid);
    const meanwhile = await world.client.charge(tenant, id);
    await world.client.notify(txid);

    expect([status, meanwhile.status]).toEqual([expected, 'PENDING']);
    expect((await world.client.charge(tenant, id)).status).toBe('PAID');
  });

  test('fails for one charge of a callback; the others are paid', async () => {
    const tenant = newTenant();
    const charges = await Promise.all(Array.from({ length: 12 }, () => world.client.newCharge(tenant)));
    for (const { txid } of charges) world.provider.book.pay(txid);
    world.provider.next('read', error500);

    const { status } = await world.client.notify(...charges.map(({ txid }) => txid));

    const { meta } = await world.client.list(tenant, '?status=PAID');
    expect([status, meta]).toMatchObject([503, { total: 11 }]);
  });

  test('may list a payment twice, or under an unknown status', async () => {
    const tenant = newTenant();
    const { id, txid } = await world.client.newCharge(tenant);
    world.provider.next('read', answeringWith({ status: 'LIQUIDADA', pix: [pix, pix] }));

    const { status } = await world.client.notify(txid);

    expect(status).toBe(200);
    expect(await world.client.charge(tenant, id)).toMatchObject({ status: 'PAID', endToEndId: 'E1' });
    expect(await world.paymentsOf(id)).toHaveLength(1);
  });
});
