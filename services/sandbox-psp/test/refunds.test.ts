import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { requestRefund } from '../src/domain/refund.ts';
import { startSandboxPsp } from '../src/service.ts';
import {
  askControl,
  caller,
  control,
  OTHER,
  problem,
  problemIn,
  readCharge,
  sharedBankWorld,
  truthOf,
} from './bank.ts';
import { devolucao, pix, pixConsultados, webhookPix } from './published-shapes.ts';
import { paidCharge, refundPath, refundsAt } from './refunding.ts';

const bank = sharedBankWorld();
const { paid, refund, ends } = refundsAt(bank);

describe('PUT /v2/pix/{e2eid}/devolucao/{id}', () => {
  test('begins a refund that the bank carries out', async () => {
    const { e2eid } = await paid();
    const answer = await refund(e2eid, 'a1', { valor: '10.00', descricao: 'Item em falta' });

    expect(answer.status).toBe(201);
    const begun = devolucao.parse(answer.body);
    expect(begun).toMatchObject({
      id: 'a1',
      valor: '10.00',
      natureza: 'ORIGINAL',
      descricao: 'Item em falta',
    });
    expect(begun.status).toBe('EM_PROCESSAMENTO');
    expect(begun.horario.liquidacao).toBeUndefined();
    const minute = begun.horario.solicitacao.replace(/\D/g, '').slice(0, 12);
    expect(begun.rtrId).toMatch(new RegExp(`^D\\d{8}${minute}[a-zA-Z0-9]{11}$`));

    const ended = await ends(e2eid, 'a1', 'DEVOLVIDO');
    expect(ended).toEqual({ ...begun, status: 'DEVOLVIDO', horario: ended.horario });
    expect(ended.horario.liquidacao).toBeDefined();
  });

  test('repeated with the same amount returns the current refund', async () => {
    const { e2eid } = await paid();
    await refund(e2eid, 'again', { valor: '1.00' });
    const ended = await ends(e2eid, 'again', 'DEVOLVIDO');

    const answer = await refund(e2eid, 'again', { valor: '1.00', natureza: 'ORIGINAL', descricao: 'x' });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual(ended);
  });

  test('repeated with another amount is refused', async () => {
    const { e2eid } = await paid();
    await refund(e2eid, 'other', { valor: '1.00' });

    const answer = await refund(e2eid, 'other', { valor: '1.01' });

    expect(problemIn(answer)).toEqual(problem(400, 'PixDevolucaoInvalida', ['devolucao.id']));
  });

  test('never lets refunds exceed their payment', async () => {
    const { e2eid } = await paid();
    const first = await refund(e2eid, 'a', { valor: '36.99' });
    const tooMuch = await refund(e2eid, 'b', { valor: '0.02' });
    const rest = await refund(e2eid, 'c', { valor: '0.01' });

    expect([first.status, rest.status]).toEqual([201, 201]);
    expect(problemIn(tooMuch)).toEqual(problem(400, 'PixDevolucaoInvalida', ['devolucao.valor']));
  });

  test('never refunds more than the payment, for twenty parallel requests', async () => {
    const { txid, e2eid } = await paid();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => refund(e2eid, `r${index}`, { valor: '4.00' })),
    );

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(9);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(11);
    expect((await truthOf(bank, txid)).refunds).toHaveLength(9);
  });

  test('twenty equal requests at once begin one refund', async () => {
    const { txid, e2eid } = await paid();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refund(e2eid, 'one', { valor: '20.00' })),
    );

    expect(new Set(answers.map(({ body }) => devolucao.parse(body).rtrId)).size).toBe(1);
    expect((await truthOf(bank, txid)).refunds).toHaveLength(1);
  });

  test('finds no payment of another receiver or an unknown id', async () => {
    const { e2eid } = await paid();
    const other = await caller(bank.url, OTHER);

    const answers = await Promise.all([
      other('PUT', refundPath(e2eid, 'a'), { valor: '1.00' }),
      refund('E9999999920200101000012345678901', 'a', { valor: '1.00' }),
      refund('short', 'a', { valor: '1.00' }),
    ]);

    expect(answers.map(problemIn)).toEqual(Array(3).fill(problem(404, 'PixNaoEncontrado')));
  });

  test.each([
    ['no amount', 'a', {}, 'devolucao.valor'],
    ['no body', 'a', undefined, 'devolucao.valor'],
    ['an amount of zero', 'a', { valor: '0.00' }, 'devolucao.valor'],
    ['an amount with one decimal', 'a', { valor: '1.0' }, 'devolucao.valor'],
    ['cash of a payment without cash', 'a', { valor: '1.00', natureza: 'RETIRADA' }, 'devolucao.natureza'],
    ['an overlong description', 'a', { valor: '1.00', descricao: 'x'.repeat(141) }, 'devolucao.descricao'],
    ['an unknown field', 'a', { valor: '1.00', x: 1 }, 'devolucao.x'],
    ['an id with a hyphen', 'a-b', { valor: '1.00' }, 'devolucao.id'],
    ['an overlong id', 'a'.repeat(36), { valor: '1.00' }, 'devolucao.id'],
  ])('%s is reported as a violation', async (_case, id, body, field) => {
    const { txid, e2eid } = await paid();
    const answer = await refund(e2eid, id, body);

    expect(problemIn(answer)).toEqual(problem(400, 'PixDevolucaoInvalida', [field]));
    expect((await truthOf(bank, txid)).refunds).toEqual([]);
  });

  test('is possible for ninety days', () => {
    const paidAt = new Date('2026-01-01T00:00:00Z');
    const request = (requestedAt: Date) =>
      requestRefund(
        { amount: 100, paidAt, refunds: [] },
        { id: 'a', amount: 100, description: null, isRefused: false, requestedAt },
      );

    expect(request(new Date('2026-04-01T00:00:00.000Z')).status).toBe('EM_PROCESSAMENTO');
    expect(() => request(new Date('2026-04-01T00:00:00.001Z'))).toThrow('PixDevolucaoInvalida');
  });
});

describe('GET /v2/pix/{e2eid}/devolucao/{id}', () => {
  test('does not find an unknown refund or payment', async () => {
    const { e2eid } = await paid();

    const answers = await Promise.all([
      bank.call('GET', refundPath(e2eid, 'a')),
      bank.call('GET', refundPath('E9999999920200101000012345678901', 'a')),
    ]);

    expect(answers.map(problemIn)).toEqual([
      problem(404, 'PixDevolucaoNaoEncontrada'),
      problem(404, 'PixNaoEncontrado'),
    ]);
  });
});

function callbacksOf(e2eid: string) {
  return bank.receiver.deliveries
    .filter(({ body }) => body.includes(e2eid))
    .flatMap(({ body }) => webhookPix.parse(JSON.parse(body.toString())).pix);
}

describe('a payment with refunds', () => {
  test('shows the refunds in every response', async () => {
    const { txid, e2eid } = await paid();
    await refund(e2eid, 'first', { valor: '1.00' });
    await refund(e2eid, 'second', { valor: '2.00' });
    const first = await ends(e2eid, 'first', 'DEVOLVIDO');
    const second = await ends(e2eid, 'second', 'DEVOLVIDO');

    const period = 'inicio=2020-01-01T00:00:00Z&fim=2999-01-01T00:00:00Z';
    const listed = pixConsultados.parse((await bank.call('GET', `/v2/pix?${period}&txid=${txid}`)).body);
    const single = pix.parse((await bank.call('GET', `/v2/pix/${e2eid}`)).body);
    const charge = await readCharge(bank, txid);
    const truth = await truthOf(bank, txid);

    expect(single.devolucoes).toEqual([first, second]);
    expect(listed.pix).toEqual([single]);
    expect(charge.pix).toEqual([single]);
    expect(truth.refunds).toEqual(
      [first, second].map((it) => ({ clientId: 'shop', endToEndId: e2eid, txid, ...it })),
    );
  });

  test('is reported once for each ended refund', async () => {
    const { e2eid } = await paid();
    await refund(e2eid, 'a', { valor: '1.00' });
    await ends(e2eid, 'a', 'DEVOLVIDO');
    await refund(e2eid, 'b', { valor: '2.00' });

    const callbacks = await eventually(() => {
      const received = callbacksOf(e2eid);
      expect(received).toHaveLength(2);
      return received;
    });

    const states = callbacks.map(({ devolucoes = [] }) =>
      devolucoes.map(({ id, status }) => `${id} ${status}`),
    );
    expect(states.sort()).toEqual([['a DEVOLVIDO'], ['a DEVOLVIDO', 'b DEVOLVIDO']]);
    expect(callbacks.at(-1)).toMatchObject({ endToEndId: e2eid, valor: '37.00' });
  });
});

describe('the amount of a refund', () => {
  test.each([
    ['66.66', 'NAO_REALIZADO'],
    ['10.00', 'DEVOLVIDO'],
  ])('of %s makes it end %s', async (valor, status) => {
    const { e2eid } = await paidCharge(bank, '100.00');

    await refund(e2eid, 'magic', { valor });

    await ends(e2eid, 'magic', status);
  });

  test.each(['77.77', '88.88'])('of %s leaves it in process while others end', async (valor) => {
    const { e2eid } = await paidCharge(bank, '100.00');
    await refund(e2eid, 'slow', { valor });
    await refund(e2eid, 'usual', { valor: '10.00' });

    await ends(e2eid, 'usual', 'DEVOLVIDO');

    await ends(e2eid, 'slow', 'EM_PROCESSAMENTO');
  });
});

describe('a charge that refuses refunds', () => {
  test('fails later refunds and releases their amount', async () => {
    const { txid, e2eid } = await paid();
    await refund(e2eid, 'before', { valor: '7.00' });
    expect(await control(bank, `pix/${txid}/refuse-refunds`)).toEqual({ refusesRefunds: true });
    await refund(e2eid, 'after', { valor: '30.00' });

    await ends(e2eid, 'before', 'DEVOLVIDO');
    const refused = await ends(e2eid, 'after', 'NAO_REALIZADO');

    expect(refused.motivo).toEqual(expect.any(String));
    expect(refused.horario.liquidacao).toBeUndefined();
    expect((await refund(e2eid, 'retry', { valor: '30.00' })).status).toBe(201);
    await eventually(() =>
      expect(
        callbacksOf(e2eid)
          .at(-1)
          ?.devolucoes?.map(({ status }) => status),
      ).toContain('NAO_REALIZADO'),
    );
  });

  test('must exist', async () => {
    expect((await askControl(bank, 'pix/nobody/refuse-refunds')).status).toBe(404);
  });
});

test('two replicas end every refund once', async () => {
  const second = await startSandboxPsp(bank.env);
  const payments = await Promise.all(Array.from({ length: 30 }, paid));
  await Promise.all(
    payments.flatMap(({ e2eid }) => [1, 2, 3].map((id) => refund(e2eid, String(id), { valor: '1.00' }))),
  );

  for (const { e2eid } of payments) {
    await eventually(() => expect(callbacksOf(e2eid)).toHaveLength(3));
    const last = callbacksOf(e2eid).map(
      ({ devolucoes = [] }) => devolucoes.filter(({ status }) => status === 'DEVOLVIDO').length,
    );
    expect(last.sort()).toEqual([1, 2, 3]);
  }
  await second.stop();
});
