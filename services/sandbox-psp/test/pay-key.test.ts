import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { z } from 'zod';
import {
  askControl,
  control,
  createCharge,
  newTxid,
  readCharge,
  SHOP,
  sharedBankWorld,
  wholeTruth,
} from './bank.ts';
import { sentPix } from './payout-shapes.ts';
import { pix, pixConsultados, webhookPix } from './published-shapes.ts';

const bank = sharedBankWorld();

const period = `inicio=${new Date().toISOString()}&fim=2999-01-01T00:00:00Z`;
const paid = z.strictObject({ payments: z.tuple([z.looseObject({ endToEndId: z.string() })]) });

async function payKey(body: Record<string, unknown>) {
  const { payments } = paid.parse(await control(bank, 'pix/pay', { pixKey: SHOP.pixKey, ...body }));
  return payments[0].endToEndId;
}

async function callbackOf(e2eid: string) {
  const delivery = await bank.receiver.waitFor(({ body }) => body.includes(e2eid));
  return webhookPix.parse(JSON.parse(delivery.body.toString())).pix;
}

describe('POST /control/pix/pay', () => {
  test('sends money to the key without a txid', async () => {
    const e2eid = await payKey({ amount: 1234 });

    const read = pix.parse((await bank.call('GET', `/v2/pix/${e2eid}`)).body);
    expect(read).toMatchObject({ valor: '12.34', chave: SHOP.pixKey });
    expect(read).not.toHaveProperty('txid');
    expect(await callbackOf(e2eid)).toEqual([read]);
    const listed = pixConsultados.parse((await bank.call('GET', `/v2/pix?${period}`)).body);
    expect(listed.pix).toContainEqual(read);
    expect((await wholeTruth(bank)).payments).toContainEqual(expect.objectContaining({ endToEndId: e2eid }));
  });

  test.each(['A1', newTxid(), 'x'.repeat(35)])('sends the text %s of a static code as txid', async (txid) => {
    const e2eid = await payKey({ amount: 1, txid });

    expect(await callbackOf(e2eid)).toMatchObject([{ txid, valor: '0.01' }]);
    const listed = pixConsultados.parse((await bank.call('GET', `/v2/pix?${period}&txid=${txid}`)).body);
    expect(listed.pix.map(({ endToEndId }) => endToEndId)).toEqual([e2eid]);
  });

  test('does not pay a later charge with the same txid', async () => {
    const txid = newTxid();
    await payKey({ amount: 3700, txid, notify: false });
    await bank.call('PUT', `/v2/cob/${txid}`, { valor: { original: '37.00' }, chave: SHOP.pixKey });

    const charge = await readCharge(bank, txid);

    expect(charge.status).toBe('ATIVA');
    expect(charge.pix).toBeUndefined();
  });

  test('can be refunded', async () => {
    const e2eid = await payKey({ amount: 100, notify: false });
    await bank.call('PUT', `/v2/pix/${e2eid}/devolucao/a`, { valor: '1.00' });

    await eventually(async () => {
      const answer = await bank.call('GET', `/v2/pix/${e2eid}/devolucao/a`);
      expect(answer.body).toMatchObject({ status: 'DEVOLVIDO' });
    });
  });

  test('refuses the txid of a charge', async () => {
    const { txid } = await createCharge(bank);
    const body = { pixKey: SHOP.pixKey, amount: 1, txid };
    const answer = await askControl(bank, 'pix/pay', body);

    expect(answer.status).toBe(409);
    expect((await readCharge(bank, txid)).pix).toBeUndefined();
  });

  test.each([
    ['an unknown key', { pixKey: 'nobody@example.com', amount: 1 }, 404],
    ['no amount', { pixKey: SHOP.pixKey }, 400],
    ['a txid with a hyphen', { pixKey: SHOP.pixKey, amount: 1, txid: 'a-b' }, 400],
    ['an empty txid', { pixKey: SHOP.pixKey, amount: 1, txid: '' }, 400],
  ])('%s is refused', async (_case, body, status) => {
    expect((await askControl(bank, 'pix/pay', body)).status).toBe(status);
  });
});

const ask = (chave: unknown) => bank.call('POST', '/v2/gn/pix/consulta-chave', { chave });
const PERSON = { nome: 'Favorecido do Sandbox', cpf: '***.456.789-**' };
const COMPANY = { nome: 'Loja do Sandbox Ltda.', cnpj: '34665388000161' };

test.each([
  ['maria@example.com', PERSON],
  [newId(), PERSON],
  ['52998224725', { ...PERSON, cpf: '***.982.247-**' }],
  ['12ABC34501DE35', { ...COMPANY, cnpj: '12ABC34501DE35' }],
  ['company@sandbox.test', COMPANY],
  ['slow@sandbox.test', PERSON],
])('the key %s belongs to %j', async (chave, titular) => {
  expect(await ask(chave)).toMatchObject({
    status: 200,
    body: { chave, titular, banco: { nome: 'Banco Sandbox', ispb: '00000000' } },
  });
});

test.each<[unknown, number, string]>([
  ['invalid@sandbox.test', 404, 'chave_nao_encontrada'],
  ['down@sandbox.test', 503, 'servico_indisponivel'],
  ['', 400, 'requisicao_invalida'],
  [7, 400, 'requisicao_invalida'],
])('a query for the key %j gets %i', async (chave, status, nome) => {
  expect(await ask(chave)).toMatchObject({ status, body: { nome } });
});

test('the key other@sandbox.test has another owner once it is paid', async () => {
  const chave = 'other@sandbox.test';
  const id = newTxid();
  const answered = await ask(chave);
  const order = { valor: '12.34', pagador: { chave: SHOP.pixKey }, favorecido: { chave } };
  await bank.call('PUT', `/v3/gn/pix/${id}`, order);

  expect(answered).toMatchObject({ body: { titular: { nome: 'Outra Pessoa do Sandbox' } } });
  await eventually(async () => {
    const { body } = await bank.call('GET', `/v2/gn/pix/enviados/id-envio/${id}`);
    expect(sentPix.parse(body).favorecido.identificacao).toEqual(PERSON);
  });
});
