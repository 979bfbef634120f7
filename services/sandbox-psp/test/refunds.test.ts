import { describe, expect, test } from '@jest/globals';
import { requestRefund } from '../src/domain/refund.ts';
import { caller, OTHER, problem, problemIn, sharedBankWorld, truthOf } from './bank.ts';
import { devolucao } from './published-shapes.ts';
import { refundPath, refundsAt } from './refunding.ts';

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
