import { describe, expect, test } from '@jest/globals';
import { ERROR, refusalOf, UNAVAILABLE } from './support/outcomes.ts';
import { json, LEASED, peerOfFile, type Reply } from './support/peer.ts';
import { problem, startPixPeer } from './support/pix-peer.ts';

const peer = peerOfFile(startPixPeer);

const RETURN_ID = 'D9999999920261121123412345678901';
const order = { endToEndId: 'E9999999920261121123412345678901', id: 'a'.repeat(32), amount: 1050 };
const path = `/v2/pix/${order.endToEndId}/devolucao/${order.id}`;
const devolucao = (status: string, fields: Record<string, unknown> = {}) => ({
  id: order.id,
  rtrId: RETURN_ID,
  valor: '10.50',
  horario: { solicitacao: '2026-11-21T12:34:56Z' },
  status,
  ...fields,
});
const refund = (...replies: Reply[]) => {
  peer.reply(...replies);
  return peer.client.refund(order, LEASED);
};
const ACCEPTED = { state: 'accepted', reference: RETURN_ID };
const DONE = { state: 'done', reference: RETURN_ID, amount: 1050 };
const OURS = 'the provider refused the refund';

test('a refund is sent under our id, in reais with cents', async () => {
  await refund(json(201, devolucao('EM_PROCESSAMENTO')));

  expect(peer.requests).toMatchObject([{ method: 'PUT', path, body: { valor: '10.50' } }]);
  expect(peer.requests[0]?.headers).toMatchObject({ authorization: 'Bearer a-token' });
});

describe('a refund that the provider accepted', () => {
  test.each([
    ['EM_PROCESSAMENTO', {}, ACCEPTED],
    ['DEVOLVIDO', {}, DONE],
    ['DEVOLVIDO', { valor: '10.49' }, { ...DONE, amount: 1049 }],
    ['DEVOLVIDO', { valor: '0.00' }, { ...DONE, amount: null }],
    ['EM_ANALISE_MANUAL', {}, ACCEPTED],
    ['constructor', {}, ACCEPTED],
    ['NAO_REALIZADO', { motivo: 'Saldo insuficiente' }, { state: 'failed', reason: 'Saldo insuficiente' }],
    ['NAO_REALIZADO', {}, { state: 'failed', reason: OURS }],
    ['NAO_REALIZADO', { motivo: 17 }, { state: 'failed', reason: OURS }],
    ...[undefined, null, '', 17, 'D1', RETURN_ID.replace('D', 'E'), `${RETURN_ID}1`].map(
      (rtrId) => ['DEVOLVIDO', { rtrId }, { ...DONE, reference: null }] as const,
    ),
    ['DEVOLVIDO', { id: undefined, valor: 10.5, unknown: [] }, { ...DONE, amount: null }],
  ] as const)('with the status %s and %j is %j', async (status, fields, expected) => {
    expect(await refund(json(201, devolucao(status, fields)))).toEqual(expected);
    expect(await refund(json(200, devolucao(status, fields)))).toEqual(expected);
    peer.reply(json(200, devolucao(status, fields)));
    expect(await peer.client.findRefund(order)).toEqual(expected);
  });
});

describe('a refund request', () => {
  test.each([400, 422])('answered with %s and not found is refused', async (status) => {
    const outcome = await refund(problem(status, { detail: 'Valor acima do original.' }), problem(404));

    expect(outcome).toEqual({ state: 'refused', reason: 'Valor acima do original.' });
    expect(peer.requests.map(({ method }) => method)).toEqual(['PUT', 'GET']);
  });

  test.each([400, 401, 403, 409, 412, 422])(
    'answered with %s after an earlier success is done',
    async (status) => {
      const refusals = status === 401 ? [problem(401), problem(401)] : [problem(status)];

      expect(await refund(...refusals, json(200, devolucao('DEVOLVIDO')))).toEqual(DONE);
    },
  );

  test.each([403, 404, 405, 409, 410, 302])(
    'answered with %s and not found is a provider error',
    async (status) => {
      expect(await refusalOf(refund(problem(status), problem(404)))).toBe(ERROR);
    },
  );

  test.each([
    ['does not answer', 'silence'],
    ['answers 500', json(500, {})],
  ] as const)('is unconfirmed when the provider, asked again, %s', async (_what, reply) => {
    peer.reply(problem(409), reply);

    expect(await refusalOf(peer.shortTimeout.refund(order, LEASED))).toBe(UNAVAILABLE);
  });

  test('is a provider error when its lookup is malformed', async () => {
    expect(await refusalOf(refund(problem(409), { status: 200, text: '<html>' }))).toBe(ERROR);
  });
});

describe('the reason of a refused refund', () => {
  const violations = [{ razao: 'O valor é alto.', propriedade: 'valor' }, { razao: 'Passou o prazo.' }, {}];
  test.each<[string, unknown, string]>([
    ['the provider’s detail', { title: 'T', detail: 'D', violacoes: violations }, 'D'],
    ['the list of violations', { title: 'T', violacoes: violations }, 'O valor é alto.; Passou o prazo.'],
    ['the provider’s title', { title: 'T', detail: ' ', violacoes: null }, 'T'],
    ['Efí’s message', { nome: 'valor_invalido', mensagem: 'Valor inválido.' }, 'Valor inválido.'],
    ['Efí’s name', { nome: 'valor_invalido' }, 'valor_invalido'],
    ['our own text for an empty answer', {}, OURS],
    ['our own text for a list', ['x'], OURS],
    ['on one line', { detail: 'a\r\n\u0000b' }, 'a b'],
    ['cut to 200 characters', { detail: 'x'.repeat(300) }, 'x'.repeat(200)],
    ['cut between characters', { detail: `${'x'.repeat(199)}😀` }, 'x'.repeat(199)],
    [
      'without documents',
      { detail: 'O CPF 529.982.247-25 está bloqueado.' },
      'O CPF [document] está bloqueado.',
    ],
  ])('is %s', async (_what, body, reason) => {
    expect(await refund(json(400, body), problem(404))).toEqual({ state: 'refused', reason });
  });

  test('is our own text when the provider answers with HTML', async () => {
    const page = (status: number) => ({ status, text: '<html></html>' });

    expect(await refund(page(400), page(404))).toEqual({ state: 'refused', reason: OURS });
  });
});

describe('an unusable answer', () => {
  test.each<[string, unknown]>([
    ['an empty object', {}],
    ['a list', []],
    ['a status that is a number', devolucao('x', { status: 1 })],
    ['another refund', devolucao('DEVOLVIDO', { id: 'b'.repeat(32) })],
  ])('such as %s is PROVIDER_ERROR', async (_what, body) => {
    expect(await refusalOf(refund(json(201, body)))).toBe(ERROR);
  });
});

describe('a refund read from the provider', () => {
  test('is null when unknown to the provider', async () => {
    peer.reply(problem(404));

    expect(await peer.client.findRefund(order)).toBeNull();
    expect(peer.requests).toMatchObject([{ method: 'GET', path }]);
  });

  test('has its payment’s number escaped in the path', async () => {
    peer.reply(problem(404));

    await peer.client.findRefund({ endToEndId: '../E1?x', id: order.id });

    expect(peer.requests[0]?.path).toBe(`/v2/pix/..%2FE1%3Fx/devolucao/${order.id}`);
  });
});

test('a client states whether its provider supports refunds', async () => {
  const without = await startPixPeer({ supportsRefunds: false });

  expect([peer.client.supportsRefunds, without.client.supportsRefunds]).toEqual([true, false]);
  await without.stop();
});
