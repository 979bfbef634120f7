import { describe, expect, test } from '@jest/globals';
import type { PixClient } from '../../src/pix/pix-client.ts';
import { noAnswers, useless } from './support/faults.ts';
import { all, ERROR, fullRefusalOf, refusalOf, UNAVAILABLE } from './support/outcomes.ts';
import { json, LEASED, peerOfFile } from './support/peer.ts';
import { startPixPeer } from './support/pix-peer.ts';

const peer = peerOfFile(startPixPeer);

const txid = 'abcdef0123456789abcdef0123456789';
const payer = { payerName: 'M', payerDocument: '12345678909' };
const charge = { txid, amount: 2500, ...payer, description: null, checkoutId: null };
const refund = { endToEndId: 'E1', id: 'r1', amount: 100 };
const period = { from: new Date(0), to: new Date(1) };

const calls: [string, (client: PixClient) => Promise<unknown>][] = [
  ['register', (client) => client.register(charge, 60, LEASED)],
  ['find', (client) => client.find(txid)],
  ['refund', (client) => client.refund(refund, LEASED)],
  ['findRefund', (client) => client.findRefund(refund)],
  ['listPayments', (client) => all(client.listPayments(period))],
  ['findInfraction', (client) => client.findInfraction('inf-1')],
  ['listInfractions', (client) => all(client.listInfractions(period))],
];

describe.each([
  ...calls,
  ['remove', (client: PixClient) => client.remove(txid)] as const,
  [
    'sendDefense',
    (client: PixClient) => client.sendDefense('i', { description: '', documents: [], fileIds: [] }),
  ] as const,
])('%s', (_name, call) => {
  test.each(noAnswers)('is PROVIDER_UNAVAILABLE when the provider %s', async (_what, reply) => {
    peer.reply(reply);

    expect(await refusalOf(call(reply === 'silence' ? peer.shortTimeout : peer.client))).toBe(UNAVAILABLE);
  });
});

describe.each(calls)('%s', (_name, call) => {
  test.each(useless)('is PROVIDER_ERROR when the provider answers %s', async (_what, reply) => {
    peer.reply(reply, reply);

    expect(await refusalOf(call(peer.client))).toBe(ERROR);
  });
});

test('a removal with another answer counts as not done', async () => {
  for (const [, reply] of useless) {
    peer.reply(reply);

    expect(await peer.client.remove(txid)).toBe(false);
  }
});

test('an error never contains the provider’s text', async () => {
  const body = { title: 'Zuleica', detail: 'Zuleica', mensagem: 'Zuleica', status: 17 };
  for (const [, call] of calls) {
    for (const status of [200, 400, 403, 500]) {
      peer.reply(json(status, body), json(403, body));

      expect((await fullRefusalOf(call(peer.client))).message).not.toMatch(/Zuleica/);
    }
  }
});

test('an unreachable provider is PROVIDER_UNAVAILABLE', async () => {
  const gone = await startPixPeer();
  await gone.stop();

  expect(await refusalOf(gone.client.find(txid))).toBe(UNAVAILABLE);
});
