import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { startSandboxPsp } from '../src/service.ts';
import { caller, control, newTxid, OTHER, ownBank, SHOP, send, times, wholeTruth } from './bank.ts';
import { callbackPayout, orderedPayout, sentPix } from './payout-shapes.ts';

const bank = ownBank();

const payoutTo = (chave: string) => ({
  valor: '12.34',
  pagador: { chave: SHOP.pixKey, infoPagador: 'Saque' },
  favorecido: { chave },
});

const create = (id: string, body: unknown = payoutTo('maria@example.com')) =>
  bank.call('PUT', `/v3/gn/pix/${id}`, body);

async function read(id: string) {
  return sentPix.parse((await bank.call('GET', `/v2/gn/pix/enviados/id-envio/${id}`)).body);
}

function eventuallyIs(id: string, expected: string) {
  return eventually(async () => {
    const payout = await read(id);
    expect(payout.status).toBe(expected);
    return payout;
  });
}

function callbacksOf(id: string) {
  return bank.receiver.deliveries
    .filter(({ body }) => body.includes(id))
    .map(({ body }) => callbackPayout.parse(JSON.parse(body.toString())).pix[0]);
}

const gnError = (nome: string) => ({ nome, mensagem: expect.any(String) });

describe('PUT /v3/gn/pix/{idEnvio}', () => {
  test('begins a payout that the bank carries out and reports', async () => {
    const id = newTxid();
    const answer = await create(id);

    expect(answer.status).toBe(201);
    const begun = orderedPayout.parse(answer.body);
    expect(begun).toMatchObject({ idEnvio: id, valor: '12.34' });
    const done = await eventuallyIs(id, 'REALIZADO');
    expect(done).toMatchObject({ endToEndId: begun.e2eId, valor: '12.34', chave: SHOP.pixKey });
    expect(done.horario).toEqual({ ...begun.horario, liquidacao: expect.any(String) });
    await eventually(() => expect(callbacksOf(id)).toHaveLength(1));
    const { idEnvio, favorecido, ...payoutFields } = done;
    expect(favorecido?.identificacao.nome).toBe('Favorecido do Sandbox');
    expect(callbacksOf(id)).toEqual([{ ...payoutFields, tipo: 'SOLICITACAO', gnExtras: { idEnvio } }]);
  });

  test('to fail@sandbox.test fails with an SPI code', async () => {
    const id = newTxid();
    await create(id, payoutTo('fail@sandbox.test'));

    const failed = await eventuallyIs(id, 'NAO_REALIZADO');

    expect(failed.motivo).toContain('AC03');
    expect(failed.horario.liquidacao).toBeUndefined();
    await eventually(() => expect(callbacksOf(id)).toHaveLength(1));
    expect(callbacksOf(id)[0]).toMatchObject({
      status: 'NAO_REALIZADO',
      horario: null,
      gnExtras: { idEnvio: id, erro: { codigo: 'AC03' } },
    });
  });

  test.each([
    ['slow@sandbox.test', 10],
    ['timeout@sandbox.test', 30],
  ])('to %s takes %i seconds and then succeeds', async (key, seconds) => {
    const id = newTxid();
    await create(id, payoutTo(key));
    const [row] = await bank.database.queryUnprepared<{ seconds: number }>(
      'SELECT round(extract(epoch FROM due_at - requested_at))::int AS seconds FROM payouts WHERE payout_id = $1',
      [id],
    );
    const underWay = await read(id);
    await bank.database.queryUnprepared('UPDATE payouts SET due_at = now() WHERE payout_id = $1', [id]);

    expect(row?.seconds).toBe(seconds);
    expect(underWay.status).toBe('EM_PROCESSAMENTO');
    await eventuallyIs(id, 'REALIZADO');
  });

  test.each([
    ['the same body', payoutTo('maria@example.com')],
    ['another body', payoutTo('joao@example.com')],
    ['an invalid body', { valor: 'x' }],
  ])('with the same id and %s is a conflict', async (_case, body) => {
    const id = newTxid();
    await create(id);

    const answer = await create(id, body);

    expect([answer.status, answer.body]).toEqual([409, gnError('id_envio_duplicado')]);
  });

  test('begins one payout for twenty requests with one id', async () => {
    for (const _round of times(5)) {
      const id = newTxid();
      const answers = await Promise.all(times(20).map(() => create(id)));

      expect(answers.map((it) => it.status).sort()).toEqual([201, ...Array(19).fill(409)]);
      await eventuallyIs(id, 'REALIZADO');
      const { payouts } = await wholeTruth(bank);
      expect(payouts.filter(({ idEnvio }) => idEnvio === id)).toHaveLength(1);
    }
  });

  test('two receivers may use the same id', async () => {
    const id = newTxid();
    await create(id);
    const other = await caller(bank.url, OTHER);
    const body = { ...payoutTo('a@example.com'), pagador: { chave: OTHER.pixKey } };

    expect((await other('GET', `/v2/gn/pix/enviados/id-envio/${id}`)).status).toBe(404);
    expect((await other('PUT', `/v3/gn/pix/${id}`, body)).status).toBe(201);
  });

  test.each([
    ['another client’s key', { pagador: { chave: OTHER.pixKey } }, 'chave_invalida'],
    ['a key without an account', { favorecido: { chave: 'invalid@sandbox.test' } }, 'chave_invalida'],
    ['an amount of zero', { valor: '0.00' }, 'valor_invalido'],
    ['an amount with one decimal', { valor: '1.0' }, 'valor_invalido'],
    ['no payee', { favorecido: {} }, 'requisicao_invalida'],
    ['a bank account', { favorecido: { contaBanco: {} } }, 'requisicao_invalida'],
  ])('%s is refused', async (_case, changes, nome) => {
    const id = newTxid();
    const answer = await create(id, { ...payoutTo('maria@example.com'), ...changes });

    expect([answer.status, answer.body]).toEqual([400, gnError(nome)]);
    expect((await bank.call('GET', `/v2/gn/pix/enviados/id-envio/${id}`)).status).toBe(404);
  });

  test('an id with a hyphen is refused', async () => {
    expect((await create('a-b')).status).toBe(400);
  });

  test('needs an access token', async () => {
    const answer = await send(
      `${bank.url}/v3/gn/pix/${newTxid()}`,
      { method: 'PUT' },
      payoutTo('a@example.com'),
    );

    expect([answer.status, answer.body]).toEqual([401, gnError('nao_autorizado')]);
  });
});

describe('GET /v2/gn/pix/enviados/id-envio/{idEnvio}', () => {
  test.each(['unknown', 'a-b'])('does not find %s', async (id) => {
    const answer = await bank.call('GET', `/v2/gn/pix/enviados/id-envio/${id}`);

    expect([answer.status, answer.body]).toEqual([404, gnError('envio_nao_encontrado')]);
  });
});

test('ordered faults answer 500 before or after the payout', async () => {
  const id = newTxid();
  const fault = (operation: string, kind: string) =>
    control(bank, 'faults', { operation, fault: kind, times: 1 });

  await fault('payout.create', 'error500');
  const undone = await create(id);
  const unknown = await bank.call('GET', `/v2/gn/pix/enviados/id-envio/${id}`);
  await fault('payout.create', 'done_then_500');
  const done = await create(id);
  await fault('payout.read', 'error500');
  const unread = await bank.call('GET', `/v2/gn/pix/enviados/id-envio/${id}`);

  expect([undone, done, unread].map((it) => [it.status, it.body])).toEqual(
    Array(3).fill([500, gnError('erro_aplicacao')]),
  );
  expect(unknown.status).toBe(404);
  await eventuallyIs(id, 'REALIZADO');
});

test('a payout refused on demand is accepted when ordered again', async () => {
  const id = newTxid();
  await control(bank, 'faults', { operation: 'payout.create', fault: 'refused', times: 1 });

  const refused = await create(id);

  expect([refused.status, refused.body]).toEqual([400, gnError('chave_invalida')]);
  expect((await create(id)).status).toBe(201);
});

test('two replicas end every payout once', async () => {
  const second = await startSandboxPsp(bank.env);
  const ids = times(40).map(newTxid);
  await Promise.all(ids.map((id) => create(id)));

  for (const id of ids) await eventually(() => expect(callbacksOf(id)).toHaveLength(1));

  const { payouts } = await wholeTruth(bank);
  const ours = payouts.filter(({ idEnvio }) => ids.includes(idEnvio));
  expect(ours).toHaveLength(40);
  expect(ours[0]).toMatchObject({
    clientId: SHOP.id,
    valor: '12.34',
    status: 'REALIZADO',
    favorecido: { chave: 'maria@example.com' },
  });
  await second.stop();
});
