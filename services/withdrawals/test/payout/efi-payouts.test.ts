import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Refusal } from '@plataforma/kernel';
import { startLoopback } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { createEfiPayouts } from '../../src/payouts/efi-payouts.ts';
import type { OrderedPayout } from '../../src/payouts/payout-client.ts';

interface RecordedRequest {
  line: string;
  authorization: string;
  body: string;
}
type Said = [status: number, body: unknown];

let client: ReturnType<typeof createEfiPayouts>;
let requests: RecordedRequest[];
let tokens: RecordedRequest[];
let answers: Said[];

const bank = worldOfFile(() =>
  startLoopback(async (request, response) => {
    const line = `${request.method} ${request.url}`;
    const each = { line, authorization: request.headers.authorization ?? '', body: await text(request) };
    const isForToken = request.url === '/api/oauth/token';
    const number = (isForToken ? tokens : requests).push(each);
    const token = { access_token: `token-${number}`, expires_in: 3600 };
    const [status, body] = isForToken ? [200, token] : (answers.shift() ?? [404, {}]);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }),
);
beforeEach(() => {
  [requests, tokens, answers] = [[], [], []];
  client = createEfiPayouts({
    baseUrl: `${bank.url}/api/`,
    clientId: 'plataforma',
    clientSecret: 'segredo',
    pixKey: 'pagador@plataforma.test',
    timeoutMs: 5_000,
  });
});

const payout: OrderedPayout = { id: 'a'.repeat(32), amount: 1_050, pixKey: 'maria@exemplo.com.br' };
const completed = { idEnvio: payout.id, endToEndId: 'E1', valor: '10.50', status: 'REALIZADO' };
const LEASED = { check: () => undefined };

const order = (...said: Said[]) => {
  answers = said;
  return client.order(payout, LEASED);
};
const find = (...said: Said[]) => {
  answers = said;
  return client.find(payout);
};
const codeOf = (call: Promise<unknown>) =>
  call.then(
    (outcome) => outcome,
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  );
const lines = () => requests.map(({ line }) => line);

const ORDER = `PUT /api/v3/gn/pix/${payout.id}`;
const FIND = `GET /api/v2/gn/pix/enviados/id-envio/${payout.id}`;

describe('an order at Efí', () => {
  test('contains only amount, payer key and payee key', async () => {
    expect(await order([201, { idEnvio: payout.id, e2eId: 'E1' }])).toEqual({
      state: 'accepted',
      reference: 'E1',
    });

    expect(requests).toMatchObject([{ line: ORDER, authorization: 'Bearer token-1' }]);
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      valor: '10.50',
      pagador: { chave: 'pagador@plataforma.test' },
      favorecido: { chave: 'maria@exemplo.com.br' },
    });
  });

  test('given before has the state that the bank reports', async () => {
    const answer = await order([409, { nome: 'id_envio_duplicado' }], [200, completed]);

    expect(answer).toEqual({ state: 'done', reference: 'E1', amount: 1_050 });
    expect(lines()).toEqual([ORDER, FIND]);
  });

  test.each<[string, Said[], unknown]>([
    [
      'a duplicate that is not found',
      [
        [409, { nome: 'id_envio_duplicado' }],
        [404, { nome: 'x' }],
      ],
      'PROVIDER_ERROR',
    ],
    [
      'a duplicate with a failed query',
      [
        [409, { nome: 'id_envio_duplicado' }],
        [500, {}],
      ],
      'PROVIDER_UNAVAILABLE',
    ],
    ['answered 500', [[500, { nome: 'chave_invalida' }]], 'PROVIDER_UNAVAILABLE'],
    ['answered 429', [[429, { nome: 'chave_invalida' }]], 'PROVIDER_UNAVAILABLE'],
    ['refused with 400', [[400, { nome: 'valor_invalido' }]], { state: 'refused', reason: 'limit_exceeded' }],
    [
      'refused with 422',
      [[422, { nome: 'pagamento_negado' }]],
      { state: 'refused', reason: 'refused_by_bank' },
    ],
    [
      'refused for its key',
      [[400, { nome: 'chave_nao_pertence_ao_documento' }]],
      { state: 'refused', reason: 'invalid_key' },
    ],
    [
      'refused for its payee',
      [[400, { nome: 'documento_bloqueado' }]],
      { state: 'refused', reason: 'account_blocked' },
    ],
    ['answered 400', [[400, { nome: 'requisicao_invalida' }]], 'PROVIDER_ERROR'],
    ['answered 200 with the name of a refusal', [[200, { nome: 'chave_invalida' }]], 'PROVIDER_ERROR'],
    ['accepted under another id', [[201, { idEnvio: 'b'.repeat(32) }]], 'PROVIDER_ERROR'],
    ['answered with a page', [[201, '<html>']], 'PROVIDER_ERROR'],
    ['answered with a page of more than 1 MiB', [[201, ' '.repeat(2 ** 20 + 1)]], 'PROVIDER_UNAVAILABLE'],
  ])('%s has the expected outcome', async (_what, said, expected) => {
    expect(await codeOf(order(...said))).toEqual(expected);
  });

  test('does not leave, or leave again, after its lease', async () => {
    const late = new Error('too late');
    const never = client.order(payout, {
      check: () => {
        throw late;
      },
    });
    await expect(never).rejects.toBe(late);
    expect(requests).toEqual([]);

    answers = [[401, {}]];
    let isLate = false;
    const ordering = client.order(payout, {
      check: () => {
        if (isLate) throw late;
        isLate = true;
      },
    });
    await expect(ordering).rejects.toBe(late);
    expect(lines()).toEqual([ORDER]);
  });
});

const MASKED = '***.456.789-**';

describe('a query for a payout', () => {
  test('names only our id', async () => {
    expect(await find([200, completed])).toEqual({ state: 'done', reference: 'E1', amount: 1_050 });

    expect(requests).toEqual([{ line: FIND, authorization: 'Bearer token-1', body: '' }]);
  });

  test.each([
    [{ identificacao: { nome: ' Maria\u200b da Silva ', cpf: '***.456.789-**' } }, 'Maria da Silva', MASKED],
    [{ identificacao: { nome: 'Maria', cpf: '12345678909' } }, 'Maria', MASKED],
    [{ identificacao: { nome: 'Maria', cpf: '123' } }, 'Maria', undefined],
    [{ identificacao: { nome: 'Loja', cnpj: '34.665.388/0001-61' } }, 'Loja', '34665388000161'],
    [{ identificacao: { nome: 'M'.repeat(300) } }, 'M'.repeat(200), undefined],
    [{ identificacao: { nome: '\u200b' } }, undefined, undefined],
    [{ identificacao: { nome: 7 } }, undefined, undefined],
    [{ chave: 'maria@exemplo.com.br' }, undefined, undefined],
    [null, undefined, undefined],
  ])('of a payout to %j gives the payee %j, %j', async (favorecido, payeeName, payeeDocument) => {
    const found = await find([200, { ...completed, favorecido }]);

    expect(found).toEqual({ state: 'done', reference: 'E1', amount: 1_050, payeeName, payeeDocument });
  });

  test.each<[Record<string, unknown>, unknown]>([
    [{ status: 'EM_PROCESSAMENTO' }, { state: 'accepted', reference: 'E1' }],
    [
      { status: 'EM_PROCESSAMENTO', endToEndId: null },
      { state: 'accepted', reference: null },
    ],
    [{ status: 'NOVO' }, { state: 'accepted', reference: 'E1' }],
    [
      { status: 'NAO_REALIZADO', motivo: 'AC03: Não existe.' },
      { state: 'failed', reason: 'account_not_found' },
    ],
    [
      { status: 'NAO_REALIZADO', endToEndId: undefined },
      { state: 'failed', reason: 'other' },
    ],
    [
      { status: 'NAO_REALIZADO', motivo: 17 },
      { state: 'failed', reason: 'other' },
    ],
    [{ valor: 10.5 }, { state: 'done', reference: 'E1', amount: 1_050 }],
    [{ valor: '10.5' }, { state: 'done', reference: 'E1', amount: 1_050 }],
    [
      { novo: {}, motivo: 17, horario: null, chave: [] },
      { state: 'done', reference: 'E1', amount: 1_050 },
    ],
    [{ valor: 10.51 }, 'PROVIDER_ERROR'],
    [{ valor: 10.51, status: 'EM_PROCESSAMENTO' }, 'PROVIDER_ERROR'],
    [{ valor: 1050 }, 'PROVIDER_ERROR'],
    [{ valor: '10.5.0' }, 'PROVIDER_ERROR'],
    [{ valor: '-10.50' }, 'PROVIDER_ERROR'],
    [{ valor: true }, 'PROVIDER_ERROR'],
    [{ idEnvio: 'A'.repeat(32) }, 'PROVIDER_ERROR'],
    [{ endToEndId: undefined }, 'PROVIDER_ERROR'],
    [{ status: undefined }, 'PROVIDER_ERROR'],
  ])('answered with the fields %j has the expected outcome', async (fields, expected) => {
    expect(await codeOf(find([200, { ...completed, ...fields }]))).toEqual(expected);
  });

  test.each<[Said, unknown]>([
    [[404, { nome: 'envio_nao_encontrado', mensagem: 'não' }], null],
    [[404, {}], 'PROVIDER_ERROR'],
    [[404, '<html>'], 'PROVIDER_ERROR'],
    [[410, { nome: 'envio_nao_encontrado' }], 'PROVIDER_ERROR'],
    [[400, { nome: 'chave_invalida' }], 'PROVIDER_ERROR'],
    [[202, completed], 'PROVIDER_ERROR'],
    [[503, {}], 'PROVIDER_UNAVAILABLE'],
  ])('answered with the response %j has the expected outcome', async (said, expected) => {
    expect(await codeOf(find(said))).toEqual(expected);
  });
});

describe('a query for the owner of a key', () => {
  const key = 'maria@exemplo.com.br';
  const owner = { chave: key, titular: { nome: 'Maria', cpf: '***.456.789-**' }, banco: { nome: 'Banco' } };
  const findOwner = (said: Said) => {
    answers = [said];
    return codeOf(client.findRecipient(key));
  };

  test('names the key only in its body', async () => {
    await findOwner([200, owner]);

    expect(requests).toMatchObject([
      { line: 'POST /api/v2/gn/pix/consulta-chave', body: JSON.stringify({ chave: key }) },
    ]);
  });

  test.each<[Said, unknown]>([
    [[200, owner], { name: 'Maria', document: '***.456.789-**', bankName: 'Banco' }],
    [
      [200, { ...owner, titular: { nome: ' Ma\u200bria\n', cpf: '52998224725' }, banco: null }],
      { name: 'Maria', document: '***.982.247-**', bankName: null },
    ],
    [
      [200, { ...owner, titular: { nome: 'M'.repeat(300), cnpj: '34.665.388/0001-61' }, novo: 1 }],
      { name: 'M'.repeat(200), document: '34665388000161', bankName: 'Banco' },
    ],
    [
      [200, { ...owner, titular: { nome: 'Maria', cpf: '529.982.247-25' } }],
      { name: 'Maria', document: null, bankName: 'Banco' },
    ],
    [[404, { nome: 'chave_nao_encontrada' }], null],
    [[404, { nome: 'nao_encontrado' }], 'PROVIDER_ERROR'],
    [[404, '<html>'], 'PROVIDER_ERROR'],
    [[400, { nome: 'chave_nao_encontrada' }], 'PROVIDER_ERROR'],
    [[200, { ...owner, chave: 'joao@exemplo.com.br' }], 'PROVIDER_ERROR'],
    [[200, { ...owner, titular: { nome: '\u200b' } }], 'PROVIDER_ERROR'],
    [[200, { ...owner, titular: { nome: 7 } }], 'PROVIDER_ERROR'],
    [[202, owner], 'PROVIDER_ERROR'],
    [[429, owner], 'PROVIDER_UNAVAILABLE'],
    [[503, owner], 'PROVIDER_UNAVAILABLE'],
  ])('answered with %j has the expected result', async (said, expected) => {
    expect(await findOwner(said)).toEqual(expected);
  });
});

test('all calls share one token, renewed after its refusal', async () => {
  await Promise.all(Array.from({ length: 20 }, () => find().catch(() => null)));
  expect(tokens).toHaveLength(1);

  expect(await find([401, {}], [200, completed])).toMatchObject({ state: 'done' });

  expect(tokens).toHaveLength(2);
  expect(tokens[0]?.authorization).toBe(`Basic ${Buffer.from('plataforma:segredo').toString('base64')}`);
  expect(requests.slice(-2).map(({ authorization }) => authorization)).toEqual([
    'Bearer token-1',
    'Bearer token-2',
  ]);
});
