import { describe, expect, test } from '@jest/globals';
import type { Behaviour } from '@plataforma/testing';
import { answeringWith, error500, nothingHere, silence } from '@plataforma/testing';
import { type Message, worldOfFile } from '@plataforma/testing/world';
import { sharedCardWorld } from '../support/card-world.ts';
import { CALLBACK_SECRET } from '../support/client.ts';
import { anonymousHeader } from '../support/identity.ts';

const world = worldOfFile(sharedCardWorld);

const inspections = (acquirerId: string) => world.acquirer.requestsFor(acquirerId, 'inspect').length;

describe('an untrusted acquirer callback', () => {
  test.each(['wrong', `${CALLBACK_SECRET}x`, CALLBACK_SECRET.slice(0, -1), '%00'])(
    'under the secret %s gets 404 without an acquirer request',
    async (secret) => {
      const { shop, charge } = await world.contestedCharge();

      const { status, error } = await world.client.send(`/callbacks/acquirer/${secret}`, {
        method: 'POST',
        headers: anonymousHeader(),
        body: { data: { id: charge.acquirerId } },
      });

      expect([status, error?.code]).toEqual([404, 'NOT_FOUND']);
      expect([inspections(charge.acquirerId), await world.disputesOf(shop)]).toEqual([0, []]);
    },
  );

  test('changes nothing when the acquirer reports the charge as paid', async () => {
    const shop = world.newShop();
    const charge = await world.paidCharge(shop);
    const { acquirerId } = charge;

    const { status } = await world.notify(acquirerId, {
      type: 'charge.chargedback',
      data: { id: acquirerId, status: 'chargedback', chargeback: { amount: 2500, reason: 'FRAUD' } },
    });

    expect([status, inspections(acquirerId)]).toEqual([200, 1]);
    expect(await world.client.charge(shop, charge.id)).toEqual(charge);
    expect([await world.disputesOf(shop), (await world.eventsOf(charge.id)).length]).toEqual([[], 1]);
  });

  test.each(['ch_de_outro', '', '../../orders', "'; --"])(
    'about the unknown id %j is answered and ignored',
    async (id) => {
      const before = world.acquirer.requests.length;

      const { status } = await world.notify(id);

      expect([status, world.acquirer.requests.length - before]).toEqual([200, 0]);
    },
  );

  test.each([{ data: 'x' }, { data: { id: 7 } }, { data: { id: 'x'.repeat(65) } }, []])(
    'in another shape is a VALIDATION_ERROR: %j',
    async (body) => {
      const { status, error } = await world.client.send(`/callbacks/acquirer/${CALLBACK_SECRET}`, {
        method: 'POST',
        headers: anonymousHeader(),
        body,
      });

      expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});

test.each<[string, Message & { type?: string }]>([
  [
    'names an event',
    { method: 'POST', body: { evento: 'teste_webhook', data_criacao: '2026-11-28T12:00:00Z' } },
  ],
  ['is a ping', { method: 'POST', body: { id: 'hook_1', type: 'ping' } }],
  ['is an empty object', { method: 'POST', body: {} }],
  ['has empty data', { method: 'POST', body: { data: {} } }],
  ['has no list', { method: 'POST', body: { pix: null, data: null } }],
  ['has no body', { method: 'POST' }],
  ['is text', { method: 'POST', body: { evento: 'teste_webhook' }, type: 'text/plain' }],
  ['is a form', { method: 'POST', body: {}, type: 'application/x-www-form-urlencoded' }],
  ['is in Latin 1', { method: 'POST', body: {}, type: 'application/json; charset=iso-8859-1' }],
  ['uses GET', { method: 'GET' }],
])('a callback address test that %s answers 200 and changes nothing', async (_how, { type, ...message }) => {
  const before = world.acquirer.requests.length;
  const headers = { ...anonymousHeader(), ...(type ? { 'content-type': type } : {}) };
  const send = (path: string) => world.client.send(`/callbacks/${path}`, { ...message, headers });

  for (const [kind, suffix] of [
    ['pix', ''],
    ['pix', '/pix'],
    ['acquirer', ''],
  ]) {
    const valid = await send(`${kind}/${CALLBACK_SECRET}${suffix}`);
    const guessed = await send(`${kind}/guessed${suffix}`);
    expect([valid.status, valid.data]).toEqual([200, { received: 0 }]);
    expect([guessed.status, guessed.error?.code]).toEqual([404, 'NOT_FOUND']);
  }
  expect(world.acquirer.requests).toHaveLength(before);
});

describe('an unreliable acquirer', () => {
  test.each<[string, Behaviour, number]>([
    ['does not answer', silence, 503],
    ['answers 500', error500, 503],
    ['answers garbage', () => ({ status: 200, text: '{"status":' }), 502],
    ['does not find the charge', nothingHere, 502],
    ['answers another charge', answeringWith({ id: 'ch_x' }), 502],
  ])('that %s gets an error; its next callback opens the dispute', async (_what, behaviour, expected) => {
    const { shop, charge } = await world.contestedCharge();
    world.acquirer.next('inspect', behaviour);

    const { status } = await world.notify(charge.acquirerId);
    const meanwhile = await world.disputesOf(shop);
    await world.notify(charge.acquirerId);

    expect([status, meanwhile]).toEqual([expected, []]);
    expect(await world.disputesOf(shop)).toHaveLength(1);
  });
});
