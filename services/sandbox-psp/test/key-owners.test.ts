import { expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { newTxid, SHOP, sharedBankWorld } from './bank.ts';
import { sentPix } from './payout-shapes.ts';

const bank = sharedBankWorld();

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
