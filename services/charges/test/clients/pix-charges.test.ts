import { describe, expect, test } from '@jest/globals';
import { readCode } from '@plataforma/brcode';
import type { PixClient } from '../../src/pix/pix-client.ts';
import { noAnswers, useless } from './support/faults.ts';
import { all, ERROR, fullRefusalOf, refusalOf, UNAVAILABLE } from './support/outcomes.ts';
import { json, LEASED, peerOfFile } from './support/peer.ts';
import { problem, startPixPeer } from './support/pix-peer.ts';

const peer = peerOfFile(startPixPeer);

const txid = 'abcdef0123456789abcdef0123456789';
const charge = {
  txid,
  amount: 2500,
  payerName: 'Maria da Silva',
  payerDocument: '12345678909',
  description: null,
  checkoutId: null,
};
const CODE = '00020126…6304ABCD';
const LOCATION = 'pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441';
const cob = (fields: Record<string, unknown> = {}) => ({
  calendario: { criacao: '2026-11-20T12:00:00Z', expiracao: '3600' },
  txid,
  revisao: '0',
  status: 'ATIVA',
  valor: { original: '25.00' },
  pixCopiaECola: CODE,
  ...fields,
});
const withoutCode = (fields: Record<string, unknown>) => cob({ pixCopiaECola: undefined, ...fields });
const register = (body: unknown) => {
  peer.reply(json(201, body));
  return peer.client.register(charge, 3600, LEASED);
};
const find = (fields: Record<string, unknown>) => {
  peer.reply(json(200, cob(fields)));
  return peer.client.find(txid);
};

describe('the code of a charge', () => {
  test('is the code that the provider returned', async () => {
    expect(await register(cob({ location: LOCATION }))).toBe(CODE);
  });

  test.each<[string, Record<string, unknown>]>([
    ['location', { location: LOCATION }],
    ['location with a scheme', { location: `https://${LOCATION}` }],
    ['location with a scheme in upper case', { location: `HTTPS://${LOCATION}` }],
    ['loc', { loc: { id: 1, location: LOCATION } }],
    ['loc with an empty location', { location: '', loc: { location: LOCATION } }],
    ['location with an empty code', { pixCopiaECola: '', location: LOCATION }],
    ['location with an overlong code', { pixCopiaECola: '0'.repeat(513), location: LOCATION }],
  ])('is built from the provider’s %s', async (_what, fields) => {
    const code = readCode(await register(withoutCode(fields)));

    expect(code).toMatchObject({
      code: { url: LOCATION, merchantName: 'Plataforma', merchantCity: 'Sao Paulo' },
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['nothing', {}],
    ['a location without a path', { location: 'pix' }],
    ['a location without TLS', { location: `http://${LOCATION}` }],
    ['a location that is too long', { location: `pix.example.com/${'a'.repeat(77)}` }],
    ['a location that is a number', { location: 17, loc: 'x' }],
  ])('is a provider error when the provider gives %s', async (_what, fields) => {
    expect(await refusalOf(register(withoutCode(fields)))).toBe(ERROR);
  });

  test('is read when the provider refuses a second registration', async () => {
    peer.reply(problem(409), json(200, cob()));

    expect(await peer.client.register(charge, 3600, LEASED)).toBe(CODE);
  });
});

describe('a charge read from the provider', () => {
  const pix = { endToEndId: 'E1', txid, valor: '25.00', horario: '2026-11-20T12:00:00Z' };

  test.each([
    ['ATIVA', 'active'],
    ['CONCLUIDA', 'concluded'],
    ['REMOVIDA_PELO_USUARIO_RECEBEDOR', 'removed'],
    ['REMOVIDA_PELO_PSP', 'removed'],
    ['EXPIRADA', 'other'],
    ['constructor', 'other'],
  ])('with the status %s is %s', async (status, expected) => {
    expect(await find({ status })).toMatchObject({ status: expected, payments: [] });
  });

  test('has its payments and their returned amounts', async () => {
    const paidAt = new Date('2026-11-20T12:00:00Z');
    const devolucoes = [{ id: 'r1', valor: '0.50', status: 'DEVOLVIDO' }];
    const found = await find({ pix: [pix, { ...pix, endToEndId: 'E2', valor: 25.5, devolucoes }] });

    expect(found?.payments).toEqual([
      { endToEndId: 'E1', amount: 2500, paidAt, returned: 0, takenBack: 0 },
      { endToEndId: 'E2', amount: 2550, paidAt, returned: 50, takenBack: 0 },
    ]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['pix is null', { pix: null }],
    ['its txid is written in capitals', { txid: txid.toUpperCase() }],
    ['its txid is empty', { txid: '' }],
    ['its txid is null', { txid: null }],
    ['its code is null', { pixCopiaECola: null }],
  ])('is accepted when %s', async (_what, fields) => {
    expect(await find(fields)).toMatchObject({ status: 'active', payments: [] });
  });

  // If an unreadable payment were ignored, the charge could expire although it was paid.
  test('is a provider error when a payment is unreadable', async () => {
    expect(await refusalOf(find({ pix: [pix, { ...pix, valor: '25.000' }] }))).toBe(ERROR);
  });

  test('is a provider error when the answer is another charge', async () => {
    expect(await refusalOf(find({ txid: 'b'.repeat(32) }))).toBe(ERROR);
  });
});

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
