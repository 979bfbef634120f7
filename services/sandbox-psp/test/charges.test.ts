import { describe, expect, test } from '@jest/globals';
import { readCode } from '@plataforma/brcode';
import {
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
  send,
  sharedBankWorld,
} from './bank.ts';
import { cobGerada } from './published-shapes.ts';

const bank = sharedBankWorld();

describe('PUT /v2/cob/{txid}', () => {
  test('creates an active charge as BACEN describes it', async () => {
    const txid = newTxid();
    const answer = await bank.call('PUT', `/v2/cob/${txid}`, order);

    expect(answer.status).toBe(201);
    expect(cobGerada.parse(answer.body)).toMatchObject({ ...order, txid, revisao: 0, status: 'ATIVA' });
    expect(await readCharge(bank, txid)).toEqual(answer.body);
  });

  test('a charge without an expiry expires after a day', async () => {
    const { valor, chave } = order;
    const charge = await createCharge(bank, { valor, chave });

    expect(charge.calendario.expiracao).toBe(86_400);
    expect(Object.keys(charge)).not.toEqual(expect.arrayContaining(['devedor', 'solicitacaoPagador']));
  });

  test.each([
    { cpf: '52513127765', nome: 'Ana' },
    { cnpj: '12ABC34501DE35', nome: 'Loja & Cia Ltda' },
  ])('stores the debtor %j', async (devedor) => {
    expect((await createCharge(bank, { ...order, devedor })).devedor).toEqual(devedor);
  });

  test('the copy-and-paste code contains the location', async () => {
    const { pixCopiaECola, location, loc } = await createCharge(bank);

    expect(readCode(pixCopiaECola)).toMatchObject({ ok: true, code: { kind: 'dynamic', url: location } });
    expect(location).toBe(loc.location);
    expect(location.startsWith(`${bank.url.replace('http://', '')}/`)).toBe(true);
  });

  test('the same body again returns the charge without a revision', async () => {
    const first = await createCharge(bank);
    const again = await bank.call('PUT', `/v2/cob/${first.txid}`, order);

    expect(again.status).toBe(201);
    expect(again.body).toEqual(first);
  });

  test('another body revises an active charge', async () => {
    const first = await createCharge(bank);
    const revised = await bank.call('PUT', `/v2/cob/${first.txid}`, {
      ...order,
      valor: { original: '40.01' },
    });

    expect(revised.status).toBe(201);
    expect(revised.body).toEqual({ ...first, revisao: 1, valor: { original: '40.01' } });
    expect(await readCharge(bank, first.txid)).toEqual(revised.body);
  });

  test.each(['paid', 'removed'])('a %s charge refuses another body and accepts the same', async (how) => {
    const { txid } = await createCharge(bank);
    if (how === 'paid') await pay(bank, txid);
    else await bank.call('PATCH', `/v2/cob/${txid}`, removal);

    const other = await bank.call('PUT', `/v2/cob/${txid}`, { ...order, valor: { original: '1.00' } });
    const same = await bank.call('PUT', `/v2/cob/${txid}`, order);

    expect(problemIn(other)).toEqual(problem(400, 'CobOperacaoInvalida'));
    expect(same.status).toBe(201);
    expect(cobGerada.parse(same.body).status).not.toBe('ATIVA');
  });

  test.each([
    ['a wrong amount', { valor: { original: '37.0' } }, 'cob.valor.original'],
    ['an amount as a number', { valor: { original: 37 } }, 'cob.valor.original'],
    ['eleven digits before the point', { valor: { original: '12345678901.00' } }, 'cob.valor.original'],
    ['an amount of zero', { valor: { original: '0.00' } }, 'cob.valor.original'],
    ['no amount', { valor: undefined }, 'cob.valor'],
    ['an expiry of zero', { calendario: { expiracao: 0 } }, 'cob.calendario.expiracao'],
    ['an expiry as text', { calendario: { expiracao: '3600' } }, 'cob.calendario.expiracao'],
    ['another client’s key', { chave: OTHER.pixKey }, 'cob.chave'],
    ['no key', { chave: undefined }, 'cob.chave'],
    ['a debtor without a name', { devedor: { cpf: '52513127765' } }, 'cob.devedor'],
    [
      'a debtor with both documents',
      { devedor: { ...order.devedor, cnpj: '12ABC34501DE35' } },
      'cob.devedor',
    ],
    ['a CPF with punctuation', { devedor: { cpf: '525.131.277-65', nome: 'Ana' } }, 'cob.devedor.cpf'],
    ['a request of 141 characters', { solicitacaoPagador: 'a'.repeat(141) }, 'cob.solicitacaoPagador'],
    ['a NUL in the request', { solicitacaoPagador: 'a\u0000b' }, 'cob.solicitacaoPagador'],
    ['an unsupported field', { infoAdicionais: [] }, 'cob.infoAdicionais'],
  ])('%s is reported as a violation', async (_case, wrong, field) => {
    const txid = newTxid();
    const answer = await bank.call('PUT', `/v2/cob/${txid}`, { ...order, ...wrong });

    expect(problemIn(answer)).toEqual(problem(400, 'CobOperacaoInvalida', [field]));
    expect(problemIn(await bank.call('GET', `/v2/cob/${txid}`))).toEqual(problem(404, 'CobNaoEncontrado'));
  });

  test.each(['a'.repeat(25), 'a'.repeat(36), `${'a'.repeat(30)}-`, `${'a'.repeat(30)}%00`])(
    'the txid %s is reported as a violation',
    async (txid) => {
      const answer = await bank.call('PUT', `/v2/cob/${txid}`, order);

      expect(problemIn(answer)).toEqual(problem(400, 'CobOperacaoInvalida', ['cob.txid']));
    },
  );

  test.each([26, 35])('a txid of %d characters is accepted', async (length) => {
    const txid = newTxid().padEnd(35, 'X').slice(0, length);

    expect((await bank.call('PUT', `/v2/cob/${txid}`, order)).status).toBe(201);
  });

  test('a repeated text with half a surrogate makes no revision', async () => {
    const body = { ...order, solicitacaoPagador: 'festa \ud83c' };
    const { txid } = await createCharge(bank, body);
    const again = await bank.call('PUT', `/v2/cob/${txid}`, body);

    expect(cobGerada.parse(again.body).revisao).toBe(0);
  });

  test('two receivers may use the same txid', async () => {
    const first = await createCharge(bank);
    const other = await caller(bank.url, OTHER);
    const second = await other('PUT', `/v2/cob/${first.txid}`, { ...order, chave: OTHER.pixKey });

    expect(second.status).toBe(201);
    expect(cobGerada.parse(second.body).location).not.toBe(first.location);
  });

  test.each([
    ['is not JSON', '{"valor"', 'application/json'],
    ['is of another type', '{}', 'text/plain'],
    ['is larger than 100 KiB', JSON.stringify({ nome: 'a'.repeat(110_000) }), 'application/json'],
  ])('a body that %s is an invalid request', async (_case, body, type) => {
    const answer = await send(`${bank.url}/v2/cob/${newTxid()}`, {
      method: 'PUT',
      headers: { 'content-type': type },
      body,
    });

    expect(problemIn(answer)).toEqual(problem(400, 'RequisicaoInvalida'));
  });
});

describe('GET /v2/cob/{txid}', () => {
  test('returns a charge with every payment that it received', async () => {
    const { txid } = await createCharge(bank);
    const payments = [...(await pay(bank, txid)), ...(await pay(bank, txid, { amount: 1 }))];

    const charge = await readCharge(bank, txid);

    const { chave } = order;
    const infoPagador = expect.any(String);
    expect(charge.status).toBe('CONCLUIDA');
    expect(charge.pix).toEqual(payments.map((payment) => ({ ...payment, txid, chave, infoPagador })));
  });

  test.each([newTxid(), 'short', `${'a'.repeat(30)}%00`])(
    'the unknown txid %s is not found',
    async (txid) => {
      const answer = await bank.call('GET', `/v2/cob/${txid}`);

      expect(problemIn(answer)).toEqual(problem(404, 'CobNaoEncontrado'));
    },
  );

  test('finds only the current revision', async () => {
    const { txid } = await createCharge(bank);

    expect((await bank.call('GET', `/v2/cob/${txid}?revisao=0`)).status).toBe(200);
    const past = await bank.call('GET', `/v2/cob/${txid}?revisao=1`);
    expect(problemIn(past)).toEqual(problem(400, 'CobConsultaInvalida', ['revisao']));
  });

  test('an expired charge stays active', async () => {
    const { txid } = await createCharge(bank, { ...order, calendario: { expiracao: 1 } });
    await new Promise((resolve) => setTimeout(resolve, 1_100));

    expect((await readCharge(bank, txid)).status).toBe('ATIVA');
  });
});

test.each(['/', '/v2/cob', '/v2/lotecobv/1', '/v2/%zz'])('the unknown path %s answers 404', async (path) => {
  expect(problemIn(await bank.call('GET', path))).toEqual(problem(404, 'NaoEncontrado'));
});

describe('PATCH /v2/cob/{txid}', () => {
  test('removes an active charge', async () => {
    const charge = await createCharge(bank);
    const answer = await bank.call('PATCH', `/v2/cob/${charge.txid}`, removal);

    expect(answer.status).toBe(200);
    expect(cobGerada.parse(answer.body)).toEqual({ ...charge, ...removal, revisao: 1 });
  });

  test('changes only the given fields', async () => {
    const charge = await createCharge(bank);
    const changes = {
      valor: { original: '99.90' },
      solicitacaoPagador: 'Mesa 7',
      devedor: { cnpj: '00038166000105', nome: 'Empresa SA' },
    };

    const answer = await bank.call('PATCH', `/v2/cob/${charge.txid}`, changes);

    expect(answer.status).toBe(200);
    expect(cobGerada.parse(answer.body)).toEqual({ ...charge, ...changes, revisao: 1 });
  });

  test.each([{}, { valor: order.valor }, { calendario: {} }])(
    'makes no revision for %j without changes',
    async (body) => {
      const charge = await createCharge(bank);
      const answer = await bank.call('PATCH', `/v2/cob/${charge.txid}`, body);

      expect(answer.body).toEqual(charge);
    },
  );

  test.each([
    ['removal with other changes', { ...removal, valor: { original: '1.00' } }, 'cob.status'],
    ['a forbidden status', { status: 'CONCLUIDA' }, 'cob.status'],
    ['an amount of zero', { valor: { original: '0.00' } }, 'cob.valor.original'],
    ['another client’s key', { chave: OTHER.pixKey }, 'cob.chave'],
    ['an unsupported field', { loc: { id: 1 } }, 'cob.loc'],
  ])('%s is reported as a violation', async (_case, body, field) => {
    const charge = await createCharge(bank);
    const answer = await bank.call('PATCH', `/v2/cob/${charge.txid}`, body);

    expect(problemIn(answer)).toEqual(problem(400, 'CobOperacaoInvalida', [field]));
    expect(await readCharge(bank, charge.txid)).toEqual(charge);
  });

  test.each([removal, { valor: { original: '1.00' } }])('%j is refused for a paid charge', async (body) => {
    const { txid } = await createCharge(bank);
    await pay(bank, txid);

    const answer = await bank.call('PATCH', `/v2/cob/${txid}`, body);

    expect(problemIn(answer)).toEqual(problem(400, 'CobOperacaoInvalida'));
  });

  test('a second removal is refused', async () => {
    const { txid } = await createCharge(bank);
    await bank.call('PATCH', `/v2/cob/${txid}`, removal);

    expect(problemIn(await bank.call('PATCH', `/v2/cob/${txid}`, removal))).toEqual(
      problem(400, 'CobOperacaoInvalida'),
    );
  });

  test('an unknown charge is not found', async () => {
    const answer = await bank.call('PATCH', `/v2/cob/${newTxid()}`, removal);

    expect(problemIn(answer)).toEqual(problem(404, 'CobNaoEncontrado'));
  });
});
