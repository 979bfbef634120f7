import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { defend, infracaoOf, openInfraction } from '../src/domain/infraction.ts';
import { newPayment } from '../src/domain/payment.ts';
import {
  askControl,
  caller,
  control,
  createCharge,
  newTxid,
  OTHER,
  pay,
  SHOP,
  send,
  sharedBankWorld,
  wholeTruth,
} from './bank.ts';
import { refundPath } from './refunding.ts';

const bank = sharedBankWorld();

const moment = z.iso.datetime();
const infracao = z.strictObject({
  idInfracao: z.uuid(),
  endToEndId: z.string(),
  txid: z.string(),
  valor: z.string().regex(/^\d{1,10}\.\d{2}$/),
  motivo: z.enum(['FRAUD', 'OPERATIONAL_FLAW']),
  descricao: z.string(),
  status: z.enum(['ABERTA', 'EM_DEFESA', 'ENCERRADA']),
  prazo: moment,
  criacao: moment,
});
const listed = z.strictObject({
  parametros: z.strictObject({ inicio: moment, fim: moment, paginacao: z.looseObject({}) }),
  infracoes: z.array(infracao),
});
const opened = z.strictObject({ idInfracao: z.uuid() });

const period = 'inicio=2020-01-01T00:00:00Z&fim=2999-01-01T00:00:00Z';
const pathOf = (id: string) => `/v2/gn/infracoes/${id}`;

async function paidCharge() {
  const { txid } = await createCharge(bank);
  const payments = await pay(bank, txid, { times: 2, notify: false });
  return { txid, e2eid: payments[0]?.endToEndId };
}

async function dispute(txid: string, body?: unknown) {
  return opened.parse(await control(bank, `pix/${txid}/dispute`, body)).idInfracao;
}

async function read(id: string) {
  return infracao.parse((await bank.call('GET', pathOf(id))).body);
}

const gnError = (nome: string) => ({ nome, mensagem: expect.any(String) });

describe('POST /control/pix/{txid}/dispute', () => {
  test('disputes the charge’s first payment and notifies the receiver', async () => {
    const { txid, e2eid } = await paidCharge();
    const id = await dispute(txid);

    const infraction = await read(id);
    expect(infraction).toMatchObject({
      endToEndId: e2eid,
      txid,
      valor: '37.00',
      motivo: 'FRAUD',
      status: 'ABERTA',
    });
    expect(Date.parse(infraction.prazo) - Date.parse(infraction.criacao)).toBe(7 * 86_400_000);
    const delivery = await bank.receiver.waitFor(({ body }) => body.includes(id));
    expect(delivery.path).toBe('/callbacks/pix?hmac=abc');
    expect(JSON.parse(delivery.body.toString())).toEqual({
      pix: [],
      infracoes: [{ idInfracao: id, endToEndId: e2eid, txid }],
    });
    expect((await wholeTruth(bank)).infractions).toContainEqual({
      clientId: SHOP.id,
      ...infraction,
      defesa: null,
    });
  });

  test('has a reason, an amount and a description', async () => {
    const { txid } = await paidCharge();
    const id = await dispute(txid, {
      reason: 'OPERATIONAL_FLAW',
      amount: 1000,
      description: 'Pago duas vezes',
    });

    const reported = { valor: '10.00', motivo: 'OPERATIONAL_FLAW', descricao: 'Pago duas vezes' };
    expect(await read(id)).toMatchObject(reported);
  });

  test('opens one dispute for ten requests at once', async () => {
    const { txid } = await paidCharge();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => askControl(bank, `pix/${txid}/dispute`)),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    const { infractions } = await wholeTruth(bank);
    expect(infractions.filter((it) => it.txid === txid)).toHaveLength(1);
  });

  test.each([
    ['an unpaid charge', async () => (await createCharge(bank)).txid, {}, 409],
    ['an unknown charge', async () => newTxid(), {}, 404],
    ['more than the payment', async () => (await paidCharge()).txid, { amount: 3701 }, 409],
    ['an unknown reason', async () => (await paidCharge()).txid, { reason: 'REGRET' }, 400],
  ])('%s is refused', async (_case, txidOf, body, status) => {
    expect((await askControl(bank, `pix/${await txidOf()}/dispute`, body)).status).toBe(status);
  });
});

describe('POST /control/pix/{txid}/take-back', () => {
  const takeBack = (txid: string, body: object) => askControl(bank, `pix/${txid}/take-back`, body);
  const paymentOf = async (txid: string) =>
    (await wholeTruth(bank)).payments.filter((payment) => payment.txid === txid);

  test('returns money once without an order of the receiver', async () => {
    const { txid, e2eid } = await paidCharge();
    const order = { orderId: randomUUID(), amount: 1_000, reason: 'OPERATIONAL_FLAW' };

    const answers = await Promise.all([takeBack(txid, order), takeBack(txid, order), takeBack(txid, order)]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const taken = { natureza: 'MED_OPERACIONAL', valor: '10.00', status: 'DEVOLVIDO' };
    const [first, second] = await paymentOf(txid);
    expect(first).toMatchObject({ endToEndId: e2eid, devolucoes: [taken] });
    expect(second).not.toHaveProperty('devolucoes');
    expect((await wholeTruth(bank)).refunds.filter((refund) => refund.txid === txid)).toEqual([]);
    // The receiver can refund only the part of the payment that was not returned to the payer.
    expect(await bank.call('PUT', refundPath(e2eid ?? '', 'much'), { valor: '27.01' })).toMatchObject({
      status: 400,
    });
    expect((await takeBack(txid, { orderId: randomUUID(), amount: 2_700 })).status).toBe(200);
  });

  test.each([
    ['a charge without a payment', async () => (await createCharge(bank)).txid, 1, 409],
    ['an unknown charge', async () => newTxid(), 1, 404],
    ['more than the payment', async () => (await paidCharge()).txid, 3_701, 409],
  ])('%s is refused', async (_case, txidOf, amount, status) => {
    expect((await takeBack(await txidOf(), { orderId: randomUUID(), amount })).status).toBe(status);
  });
});

describe('GET /v2/gn/infracoes', () => {
  test('lists the receiver’s disputes of a period page by page', async () => {
    const ids: string[] = [];
    for (const _round of [1, 2]) ids.push(await dispute((await paidCharge()).txid));
    const inicio = (await read(ids[0] ?? '')).criacao;
    const list = async (query: string) =>
      listed.parse((await bank.call('GET', `/v2/gn/infracoes?${query}`)).body);

    const all = await list(`inicio=${inicio}&fim=2999-01-01T00:00:00Z`);
    const second = await list(
      `inicio=${inicio}&fim=2999-01-01T00:00:00Z&paginacao.itensPorPagina=1&paginacao.paginaAtual=1`,
    );
    const other = await caller(bank.url, OTHER);

    expect(all.infracoes.map(({ idInfracao }) => idInfracao)).toEqual(ids);
    expect(second.infracoes.map(({ idInfracao }) => idInfracao)).toEqual(ids.slice(1));
    expect(second.parametros.paginacao).toEqual({
      paginaAtual: 1,
      itensPorPagina: 1,
      quantidadeDePaginas: 2,
      quantidadeTotalDeItens: 2,
    });
    const theirs = await other('GET', `/v2/gn/infracoes?${period}`);
    expect(listed.parse(theirs.body).infracoes).toEqual([]);
    expect((await other('GET', pathOf(ids[0] ?? ''))).status).toBe(404);
  });

  test.each([
    ['GET', '/v2/gn/infracoes', 400, 'requisicao_invalida'],
    ['GET', '/v2/gn/infracoes/nothing', 404, 'infracao_nao_encontrada'],
    ['GET', '/v2/gn/infracoes/4a3ae8a7-1c0b-4b80-9f4e-0d3f7e2a6f11', 404, 'infracao_nao_encontrada'],
    ['GET', '/v2/gn/nothing', 404, 'nao_encontrado'],
  ])('%s %s answers %i with the bank’s error format', async (method, path, status, nome) => {
    const answer = await bank.call(method, path);

    expect([answer.status, answer.body]).toEqual([status, gnError(nome)]);
  });

  test('needs an access token', async () => {
    const answer = await send(`${bank.url}/v2/gn/infracoes?${period}`, {});

    expect([answer.status, answer.body]).toEqual([401, gnError('nao_autorizado')]);
  });
});

describe('POST /v2/gn/infracoes/{id}/defesa', () => {
  test('stores the first defense and ignores a later one', async () => {
    const id = await dispute((await paidCharge()).txid);
    const first = await bank.call('POST', `${pathOf(id)}/defesa`, {
      descricao: 'Entregue',
      documentos: ['nf.pdf'],
    });
    const again = await bank.call('POST', `${pathOf(id)}/defesa`, { descricao: 'Outra' });

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(infracao.parse(first.body).status).toBe('EM_DEFESA');
    expect(again.body).toEqual(first.body);
    expect(await read(id)).toEqual(first.body);
    const { infractions } = await wholeTruth(bank);
    expect(infractions.find(({ idInfracao }) => idInfracao === id)).toMatchObject({
      defesa: { descricao: 'Entregue', documentos: ['nf.pdf'], arquivos: [] },
    });
  });

  test('accepts only files that the receiver uploaded before', async () => {
    const id = await dispute((await paidCharge()).txid);
    const [one, other] = [randomUUID(), randomUUID()];
    const put = (fileId: string, text: string, infraction = id) =>
      bank.call('PUT', `${pathOf(infraction)}/arquivos/${fileId}`, {
        nome: 'nota.pdf',
        tipo: 'application/pdf',
        conteudo: Buffer.from(text).toString('base64'),
      });
    const long = '%PDF-'.padEnd(2 * 1024 * 1024, 'x');

    const puts = [
      await put(one, long),
      await put(one, long),
      await put(one, '%PDF-other'),
      await put(other, long),
    ];
    const defendWith = (...arquivos: string[]) =>
      bank.call('POST', `${pathOf(id)}/defesa`, { descricao: 'x', arquivos });
    const [early, defended] = [await defendWith(randomUUID()), await defendWith(one)];

    expect(puts.map(({ status }) => status)).toEqual([200, 200, 409, 200]);
    expect([early.status, defended.status]).toEqual([400, 200]);
    const late = [await put(one, long), await put(randomUUID(), long), await put(one, long, randomUUID())];
    expect(late.map(({ status }) => status)).toEqual([200, 409, 404]);
    const { infractions } = await wholeTruth(bank);
    const sha256 = createHash('sha256').update(long).digest('hex');
    expect(infractions.find(({ idInfracao }) => idInfracao === id)).toMatchObject({
      defesa: { arquivos: [{ id: one, nome: 'nota.pdf', tamanho: long.length, sha256 }] },
    });
  });

  test.each([{}, { descricao: '' }, { descricao: 'x', documentos: 'y' }, { descricao: 'x', y: 1 }])(
    '%j is refused',
    async (body) => {
      const id = await dispute((await paidCharge()).txid);
      const answer = await bank.call('POST', `${pathOf(id)}/defesa`, body);

      expect([answer.status, answer.body]).toEqual([400, gnError('requisicao_invalida')]);
      expect((await read(id)).status).toBe('ABERTA');
    },
  );
});

test('after its deadline an infraction is closed and takes no defense', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const paid = newPayment({ clientId: 'shop', txid: 'a', pixKey: 'key', amount: 100, paidAt: now });
  const dispute = { txid: 'a', reason: 'FRAUD' as const, amount: undefined, description: undefined, now };
  const infraction = openInfraction(paid, dispute);
  const late = new Date('2026-01-08T00:00:00Z');
  const inTime = new Date(late.getTime() - 1);
  const words = { description: 'x', documents: [], fileIds: [], files: [] };

  expect([infracaoOf(infraction, inTime).status, infracaoOf(infraction, late).status]).toEqual([
    'ABERTA',
    'ENCERRADA',
  ]);
  const defended = defend(infraction, { ...words, now: inTime });
  expect(infracaoOf(defended, inTime).status).toBe('EM_DEFESA');
  expect(infracaoOf(defended, late).status).toBe('ENCERRADA');
  expect(() => defend(infraction, { ...words, now: late })).toThrow('prazo');
});
