import { describe, expect, test } from '@jest/globals';
import { all, ERROR, refusalOf } from './support/outcomes.ts';
import { json, peerOfFile } from './support/peer.ts';
import { problem, startPixPeer } from './support/pix-peer.ts';

const peer = peerOfFile(startPixPeer);

const period = { from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-21T00:00:00Z') };
const infracao = (fields: Record<string, unknown> = {}) => ({
  idInfracao: 'inf-1',
  endToEndId: 'E1',
  txid: 'abcdef0123456789abcdef0123456789',
  valor: '10.50',
  motivo: 'FRAUD',
  descricao: 'não fui eu',
  status: 'ABERTA',
  prazo: '2026-11-27T12:00:00Z',
  criacao: '2026-11-20T12:00:00Z',
  ...fields,
});
const page = (items: unknown, pages: number) =>
  json(200, { parametros: { paginacao: { quantidadeDePaginas: pages } }, infracoes: items });

describe('an infraction', () => {
  const find = (fields: Record<string, unknown>) => {
    peer.reply(json(200, infracao(fields)));
    return peer.client.findInfraction('inf-1');
  };

  test('is parsed with its reason, amount and status', async () => {
    expect(await find({})).toEqual({
      id: 'inf-1',
      endToEndId: 'E1',
      txid: 'abcdef0123456789abcdef0123456789',
      amount: 1050,
      reason: 'FRAUD',
      description: 'não fui eu',
      isOpen: true,
      deadline: new Date('2026-11-27T12:00:00Z'),
      createdAt: new Date('2026-11-20T12:00:00Z'),
    });
    expect(peer.requests).toMatchObject([{ method: 'GET', path: '/v2/gn/infracoes/inf-1' }]);
  });

  test.each([
    ['ABERTA', true],
    ['EM_DEFESA', true],
    ['EM_RECURSO', true],
    ['ENCERRADA', false],
  ])('with the status %s is open: %s', async (status, isOpen) => {
    expect(await find({ status })).toMatchObject({ isOpen });
  });

  test('may have no txid, reason or description', async () => {
    const found = await find({ txid: '', motivo: null, descricao: undefined });

    expect(found).toMatchObject({ txid: null, reason: '', description: '' });
  });

  test('has its reason and description without control characters', async () => {
    const found = await find({ motivo: 'FRAUD\u200b', descricao: 'não\nfui \u202eeu' });

    expect(found).toMatchObject({ reason: 'FRAUD', description: 'não fui eu' });
  });

  test('may have a number as its id', async () => {
    peer.reply(json(200, infracao({ idInfracao: 17 })));

    expect(await peer.client.findInfraction('17')).toMatchObject({ id: '17' });
  });

  test('is null when unknown to the provider', async () => {
    peer.reply(problem(404));

    expect(await peer.client.findInfraction('inf-1')).toBeNull();
  });

  test.each<[string, Record<string, unknown>]>([
    ['without a deadline', { prazo: null }],
    ['without an amount', { valor: 'dez' }],
    ['with another id', { idInfracao: 'inf-2' }],
  ])('%s is a provider error', async (_what, fields) => {
    expect(await refusalOf(find(fields))).toBe(ERROR);
  });
});

describe('the list of infractions', () => {
  const list = async () =>
    (await all(peer.client.listInfractions(period))).map((each) => each.map(({ id }) => id));

  test('is read page by page', async () => {
    peer.reply(page([infracao(), {}], 2), page([infracao({ idInfracao: 'inf-2' })], 2));

    expect(await list()).toEqual([['inf-1'], ['inf-2']]);
    expect(peer.requests[0]).toMatchObject({
      path: '/v2/gn/infracoes',
      query: { inicio: '2026-11-20T00:00:00.000Z', fim: '2026-11-21T00:00:00.000Z' },
    });
  });

  test('is empty at a provider that reports none', async () => {
    peer.reply(problem(404));

    expect(await list()).toEqual([]);
  });

  test('is a provider error when the provider refuses it', async () => {
    peer.reply(problem(403));

    expect(await refusalOf(list())).toBe(ERROR);
  });
});

describe('a defense', () => {
  const defense = {
    description: 'A mercadoria foi entregue.',
    documents: ['https://loja.example/nota.pdf'],
    fileIds: [],
  };
  const file = { id: 'f-1', name: 'nota.pdf', type: 'application/pdf', content: Buffer.from('%PDF-1.7') };

  test.each([200, 201, 202, 204])('is sent, and accepted with %s', async (status) => {
    peer.reply({ status, text: '' });

    await peer.client.sendDefense('inf-1', defense);

    expect(peer.requests).toMatchObject([
      {
        method: 'POST',
        path: '/v2/gn/infracoes/inf-1/defesa',
        body: { descricao: defense.description, documentos: defense.documents },
      },
    ]);
  });

  test('names its files', async () => {
    peer.reply({ status: 200, text: '' });

    await peer.client.sendDefense('inf-1', { ...defense, fileIds: ['f-1'] });

    expect(peer.requests[0]?.body).toMatchObject({ arquivos: ['f-1'] });
  });

  test.each([
    [200, true],
    [204, true],
    [400, false],
    [404, false],
    [405, false],
    [409, false],
    [413, false],
    [422, false],
  ])('sends a file under its own id; %s means accepted: %s', async (status, isTaken) => {
    peer.reply({ status, text: '' });

    expect(await peer.client.sendDefenseFile('inf/1', file)).toBe(isTaken);

    expect(peer.requests).toMatchObject([
      {
        method: 'PUT',
        path: '/v2/gn/infracoes/inf%2F1/arquivos/f-1',
        body: { nome: 'nota.pdf', tipo: 'application/pdf', conteudo: 'JVBERi0xLjc=' },
      },
    ]);
  });

  test.each([403, 408])('with a file answered with %s is PROVIDER_ERROR', async (status) => {
    peer.reply(problem(status));

    expect(await refusalOf(peer.client.sendDefenseFile('inf-1', file))).toBe(ERROR);
  });

  test.each([400, 404, 409])('refused with %s is PROVIDER_ERROR', async (status) => {
    peer.reply(problem(status));

    expect(await refusalOf(peer.client.sendDefense('inf-1', defense))).toBe(ERROR);
  });
});
