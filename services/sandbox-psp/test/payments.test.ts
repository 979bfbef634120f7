import { describe, expect, test } from '@jest/globals';
import {
  askControl,
  caller,
  createCharge,
  newTxid,
  OTHER,
  order,
  pay,
  problem,
  problemIn,
  readCharge,
  removal,
  SHOP,
  sharedBankWorld,
  truthOf,
} from './bank.ts';
import { pix, pixConsultados } from './published-shapes.ts';

const bank = sharedBankWorld();

describe('POST /control/pix/{txid}/pay', () => {
  test('pays the charge’s amount and concludes the charge', async () => {
    const { txid } = await createCharge(bank);
    const payments = await pay(bank, txid);

    expect(payments.map(({ valor }) => valor)).toEqual(['37.00']);
    expect((await readCharge(bank, txid)).status).toBe('CONCLUIDA');
  });

  test('a payment’s id contains bank, UTC minute and random characters', async () => {
    const { txid } = await createCharge(bank);
    const [payment] = await pay(bank, txid);

    const minute = payment?.horario.replace(/\D/g, '').slice(0, 12);
    expect(payment?.endToEndId).toMatch(new RegExp(`^E\\d{8}${minute}[a-zA-Z0-9]{11}$`));
  });

  test('pays another amount as often as requested', async () => {
    const { txid } = await createCharge(bank);
    const payments = await pay(bank, txid, { amount: 1, times: 3 });

    const charge = await readCharge(bank, txid);
    expect(charge.pix?.map(({ endToEndId, valor }) => ({ endToEndId, valor }))).toEqual(
      payments.map(({ endToEndId }) => ({ endToEndId, valor: '0.01' })),
    );
    expect(charge).toMatchObject({ status: 'CONCLUIDA', valor: { original: '37.00' } });
  });

  test('pays a charge that is already paid', async () => {
    const { txid } = await createCharge(bank);
    await pay(bank, txid);
    await pay(bank, txid, { amount: 500 });

    expect((await readCharge(bank, txid)).pix?.map(({ valor }) => valor)).toEqual(['37.00', '5.00']);
  });

  test('pays a removed charge, which stays removed', async () => {
    const { txid } = await createCharge(bank);
    await bank.call('PATCH', `/v2/cob/${txid}`, removal);
    await pay(bank, txid);

    const charge = await readCharge(bank, txid);
    expect(charge).toMatchObject({ ...removal, revisao: 1 });
    expect(charge.pix).toHaveLength(1);
  });

  test('pays and concludes an expired charge', async () => {
    const { txid } = await createCharge(bank, { ...order, calendario: { expiracao: 1 } });
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await pay(bank, txid);

    expect((await readCharge(bank, txid)).status).toBe('CONCLUIDA');
  });

  test.each([newTxid(), 'short'])('the unknown txid %s is not found', async (txid) => {
    const answer = await askControl(bank, `pix/${txid}/pay`);

    expect(answer).toMatchObject({ status: 404, body: { success: false, error: { code: 'NOT_FOUND' } } });
  });

  test.each([
    { amount: 0 },
    { amount: 1.5 },
    { amount: '1' },
    { amount: 1e12 },
    { times: 0 },
    { times: 101 },
    { x: 1 },
  ])('the body %j is refused and pays nothing', async (body) => {
    const { txid } = await createCharge(bank);
    const answer = await askControl(bank, `pix/${txid}/pay`, body);

    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect((await readCharge(bank, txid)).pix).toBeUndefined();
  });

  test('refuses a txid that two receivers use', async () => {
    const { txid } = await createCharge(bank);
    const other = await caller(bank.url, OTHER);
    await other('PUT', `/v2/cob/${txid}`, { ...order, chave: OTHER.pixKey });

    const answer = await askControl(bank, `pix/${txid}/pay`);

    expect(answer.status).toBe(409);
  });

  test('is not found at the public listener', async () => {
    const { txid } = await createCharge(bank);

    expect(problemIn(await bank.call('POST', `/control/pix/${txid}/pay`))).toEqual(
      problem(404, 'NaoEncontrado'),
    );
    expect(problemIn(await bank.call('GET', '/control/truth'))).toEqual(problem(404, 'NaoEncontrado'));
  });
});

describe('GET /control/truth', () => {
  test('shows charges and payments without their debtors', async () => {
    const { txid, calendario } = await createCharge(bank);
    const [payment] = await pay(bank, txid, { notify: false });

    const { charges, payments } = await truthOf(bank, txid);

    const { chave, valor } = order;
    const status = 'CONCLUIDA';
    expect(charges).toEqual([{ clientId: SHOP.id, txid, status, revisao: 0, calendario, valor, chave }]);
    const infoPagador = expect.any(String);
    expect(payments).toEqual([{ clientId: SHOP.id, txid, chave, infoPagador, ...payment, callback: null }]);
  });
});

describe('GET /v2/pix/{e2eid}', () => {
  test('returns the receiver’s payment', async () => {
    const { txid } = await createCharge(bank);
    const [payment] = await pay(bank, txid);

    const answer = await bank.call('GET', `/v2/pix/${payment?.endToEndId}`);

    expect(answer.status).toBe(200);
    expect(pix.parse(answer.body)).toMatchObject({ ...payment, txid, chave: SHOP.pixKey });
  });

  test('does not find foreign, unknown or malformed ids', async () => {
    const { txid } = await createCharge(bank);
    const [payment] = await pay(bank, txid);
    const other = await caller(bank.url, OTHER);

    const answers = await Promise.all([
      other('GET', `/v2/pix/${payment?.endToEndId}`),
      bank.call('GET', '/v2/pix/E9999999920200101000012345678901'),
      bank.call('GET', '/v2/pix/%00'),
    ]);

    expect(answers.map(problemIn)).toEqual(Array(3).fill(problem(404, 'PixNaoEncontrado')));
  });
});

describe('GET /v2/pix', () => {
  const period = `inicio=${new Date().toISOString()}&fim=2999-01-01T00:00:00-03:00`;

  async function list(query: string) {
    return pixConsultados.parse((await bank.call('GET', `/v2/pix?${query}`)).body);
  }

  test('pages through the payments of a charge, oldest first', async () => {
    const { txid } = await createCharge(bank);
    const ids = (await pay(bank, txid, { times: 5 })).map(({ endToEndId }) => endToEndId);

    const page = (index: number) =>
      list(`${period}&txid=${txid}&paginacao.itensPorPagina=2&paginacao.paginaAtual=${index}`);
    const pages = await Promise.all([0, 1, 2, 3].map(page));

    expect(pages.map((it) => it.pix.map(({ endToEndId }) => endToEndId))).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
      [],
    ]);
    const paginacao = { itensPorPagina: 2, quantidadeDePaginas: 3, quantidadeTotalDeItens: 5 };
    expect(pages.map((it) => it.parametros.paginacao)).toEqual(
      [0, 1, 2, 3].map((paginaAtual) => ({ ...paginacao, paginaAtual })),
    );
  });

  test('includes both ends of the period', async () => {
    const { txid } = await createCharge(bank);
    const [payment] = await pay(bank, txid);
    const { horario = '' } = payment ?? {};
    const before = new Date(Date.parse(horario) - 1).toISOString();
    const after = new Date(Date.parse(horario) + 1).toISOString();

    const counts = await Promise.all(
      [
        `inicio=${horario}&fim=${horario}`,
        `inicio=${before}&fim=${before}`,
        `inicio=${after}&fim=${after}`,
      ].map(async (ends) => (await list(`${ends}&txid=${txid}`)).pix.length),
    );

    expect(counts).toEqual([1, 0, 0]);
  });

  test('lists only the receiver’s payments without a txid', async () => {
    const { txid } = await createCharge(bank);
    await pay(bank, txid);
    const other = await caller(bank.url, OTHER);
    const mine = await list(period);
    const theirs = pixConsultados.parse((await other('GET', `/v2/pix?${period}`)).body);

    expect(mine.pix.map((it) => it.txid)).toContain(txid);
    expect(mine.parametros.paginacao).toMatchObject({ paginaAtual: 0, itensPorPagina: 100 });
    const empty = { quantidadeDePaginas: 1, quantidadeTotalDeItens: 0 };
    expect(theirs).toMatchObject({ pix: [], parametros: { paginacao: empty } });
  });

  test.each([
    ['no period', '', ['inicio', 'fim']],
    ['an end before the beginning', 'inicio=2020-01-02T00:00:00Z&fim=2020-01-01T00:00:00Z', ['fim']],
    ['a day instead of a moment', 'inicio=2020-01-01&fim=2020-01-02T00:00:00Z', ['inicio']],
    ['a negative page', `${period}&paginacao.paginaAtual=-1`, ['paginacao.paginaAtual']],
    ['a page size of zero', `${period}&paginacao.itensPorPagina=0`, ['paginacao.itensPorPagina']],
    ['a page size of 1001', `${period}&paginacao.itensPorPagina=1001`, ['paginacao.itensPorPagina']],
    ['an unsupported filter', `${period}&cpf=52513127765`, ['cpf']],
    ['a duplicate filter', `${period}&txid=a&txid=b`, ['txid']],
  ])('%s is reported as a violation', async (_case, query, fields) => {
    const answer = await bank.call('GET', `/v2/pix?${query}`);

    expect(problemIn(answer)).toEqual(problem(400, 'PixConsultaInvalida', fields));
  });
});
