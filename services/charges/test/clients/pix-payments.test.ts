import { beforeEach, describe, expect, test } from '@jest/globals';
import { all, ERROR, refusalOf } from './support/outcomes.ts';
import { json, peerOfFile } from './support/peer.ts';
import { problem, startPixPeer } from './support/pix-peer.ts';

const peer = peerOfFile(startPixPeer);
beforeEach(() => void peer.logged.splice(0));

const period = { from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-21T00:00:00Z') };
const OURS = 'abcdef0123456789abcdef0123456789';
const pix = (number: number, fields: Record<string, unknown> = {}) => ({
  endToEndId: `E${number}`,
  txid: OURS,
  valor: '10.50',
  horario: '2026-11-20T12:00:00Z',
  ...fields,
});
const page = (items: unknown, pages: unknown = 1) =>
  json(200, { parametros: { paginacao: { paginaAtual: 0, quantidadeDePaginas: pages } }, pix: items });
const list = () => all(peer.client.listPayments(period));
const numbersOf = async () => (await list()).map((each) => each.map(({ endToEndId }) => endToEndId));

describe('the list of payments', () => {
  test('is read page by page', async () => {
    peer.reply(page([pix(1), pix(2)], 3), page([pix(3)], '3'), page([pix(4)], 3));

    expect(await numbersOf()).toEqual([['E1', 'E2'], ['E3'], ['E4']]);
    expect(peer.requests.map(({ path, query }) => [path, query])).toEqual(
      [0, 1, 2].map((index) => [
        '/v2/pix',
        {
          inicio: '2026-11-20T00:00:00.000Z',
          fim: '2026-11-21T00:00:00.000Z',
          'paginacao.paginaAtual': String(index),
          'paginacao.itensPorPagina': '500',
        },
      ]),
    );
  });

  test.each<[string, unknown]>([
    ['is empty', []],
    ['is null', null],
    ['has no list', undefined],
  ])('ends at a page that %s, despite a larger total', async (_what, items) => {
    peer.reply(page([pix(1)], 9), page(items, 9));

    expect(await numbersOf()).toEqual([['E1']]);
    expect(peer.requests).toHaveLength(2);
  });

  test('is requested only as far as it is read', async () => {
    peer.reply(page([pix(1)], 9));

    for await (const _page of peer.client.listPayments(period)) break;

    expect(peer.requests).toHaveLength(1);
  });

  test.each<[string, ReturnType<typeof json>]>([
    ['is not JSON', { status: 200, text: '<html>' }],
    ['has no total', json(200, { pix: [pix(2)] })],
    ['has a total in words', page([pix(2)], 'muitas')],
    ['has an empty total', page([pix(2)], '')],
    ['has an object instead of a list', page({ E2: {} })],
    ['is refused', problem(403)],
    ['is not found', problem(404)],
  ])('fails at a page that %s, after the earlier payments', async (_what, reply) => {
    peer.reply(page([pix(1)], 2), reply);
    const pages = peer.client.listPayments(period)[Symbol.asyncIterator]();

    expect((await pages.next()).value).toMatchObject([{ endToEndId: 'E1' }]);
    expect(await refusalOf(pages.next())).toBe(ERROR);
  });

  test('skips unreadable payments and logs only their number', async () => {
    peer.reply(page([pix(1), { endToEndId: 'E-Zuleica', valor: 'Canarinho' }, 'Zuleica', null, pix(2)]));

    expect(await numbersOf()).toEqual([['E1', 'E2']]);
    expect(peer.logged).toHaveLength(1);
    expect(JSON.parse(peer.logged[0] ?? '')).toMatchObject({ level: 'warn', path: '/v2/pix', skipped: 3 });
    expect(peer.logged.join()).not.toMatch(/Zuleica|Canarinho/);
  });

  test('continues after a page without readable payments', async () => {
    peer.reply(page([{}], 2), page([pix(2)], 2));

    expect(await numbersOf()).toEqual([['E2']]);
  });
});

describe('a payment', () => {
  const read = async (fields: Record<string, unknown>) => {
    peer.reply(page([pix(1, fields)]));
    return (await list())[0]?.[0];
  };

  test('is parsed with its number, amount and time', async () => {
    expect(await read({ chave: 'x', infoPagador: 'y', devolucoes: [{}] })).toEqual({
      endToEndId: 'E1',
      txid: OURS,
      amount: 1050,
      paidAt: new Date('2026-11-20T12:00:00Z'),
      returned: 0,
      takenBack: 0,
    });
  });

  test('has its returned amounts by initiator, without failed returns', async () => {
    const devolucoes = [
      { valor: '0.10', status: 'DEVOLVIDO', natureza: 'ORIGINAL' },
      { valor: '0.20', status: 'EM_PROCESSAMENTO' },
      { valor: '0.40', status: 'NAO_REALIZADO', natureza: 'ORIGINAL' },
      { valor: '0.80', status: 'DEVOLVIDO', natureza: 'MED_FRAUDE' },
      { valor: 1.6, status: 'ESTADO_NOVO', natureza: 'MED_OPERACIONAL' },
    ];

    expect(await read({ devolucoes })).toMatchObject({ returned: 30, takenBack: 240 });
  });

  test.each<[unknown, unknown]>([
    ['10.50', 1050],
    ['0.01', 1],
    ['9999999999.99', 999_999_999_999],
    [10.5, 1050],
    [10.55, 1055],
    [10, 1000],
    [0.07, 7],
    [1.1, 110],
    [9_999_999_999.99, 999_999_999_999],
    ['10.5', 1050],
    ['10', 1000],
    ['10.500', undefined],
    ['1,050.00', undefined],
    ['10,50', undefined],
    ['-10.50', undefined],
    ['0.00', undefined],
    [0, undefined],
    [-10.5, undefined],
    [10.555, undefined],
    [1e-7, undefined],
    [1e21, undefined],
    [null, undefined],
    [['10.50'], undefined],
  ])('of %j has %j cents', async (valor, expected) => {
    expect((await read({ valor }))?.amount).toBe(expected);
  });

  test.each([
    ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20T12:00:00.1Z', '2026-11-20T12:00:00.100Z'],
    ['2026-11-20T12:00:00.123456789Z', '2026-11-20T12:00:00.123Z'],
    ['2026-11-20T09:00:00.000-03:00', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20T09:00:00-0300', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20T12:00:00', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20T12:00:00.5', '2026-11-20T12:00:00.500Z'],
    ['2026-11-20 12:00:00', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20t12:00:00z', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20T12:00Z', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20', undefined],
    ['2026-13-20T12:00:00Z', undefined],
    ['ontem', undefined],
    ['', undefined],
  ])('with the time %j was paid at %j', async (horario, expected) => {
    expect((await read({ horario }))?.paidAt.toISOString()).toBe(expected);
  });

  test.each<[unknown, unknown]>([
    [OURS.toUpperCase(), OURS],
    ['PedidoDaLoja1', 'PedidoDaLoja1'],
    ['', null],
    [null, null],
    [undefined, null],
  ])('with the txid %j belongs to %j', async (txid, expected) => {
    expect((await read({ txid }))?.txid).toBe(expected);
  });
});
