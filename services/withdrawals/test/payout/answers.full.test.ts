import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { answeringWith, eventually } from '@plataforma/testing';
import { endsOf } from '../support/ends-of.ts';
import { startWorld, type World } from '../support/world.ts';
import { disagreements, follow } from './support/payouts.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => {
  world.bank.always('find');
  world.bank.paysAtOnce(true);
});
afterAll(async () => {
  expect(await disagreements(world)).toEqual([]);
  await world.stop();
});

describe('a payout of which the bank', () => {
  test.each<[string, Record<string, unknown>]>([
    ['its amount as a number', { valor: 150 }],
    ['its amount with one decimal', { valor: '150.0' }],
    ['fields that are unknown', { novo: {}, motivo: 17, horario: null, chave: [] }],
  ])('gives %s is paid', async (_what, fields) => {
    world.bank.always('find', answeringWith(fields));
    const withdrawal = await follow(world);

    await withdrawal.becomes('COMPLETED');
  });

  test.each<[string, Record<string, unknown>]>([
    ['no number', { endToEndId: null }],
    ['no reason', { motivo: undefined }],
    ['a number for a reason', { motivo: 17 }],
  ])('says that it was not done, with %s, is FAILED', async (_what, fields) => {
    world.bank.paysAtOnce(false);
    world.bank.always('find', answeringWith({ status: 'NAO_REALIZADO', ...fields }));
    const withdrawal = await follow(world);

    expect(await withdrawal.becomes('FAILED')).toMatchObject({ failureReason: 'other', providerTxId: null });
    world.bank.end(withdrawal.id, 'NAO_REALIZADO');
  });

  test('has sent it back after all is an alarm, and stays PROCESSING', async () => {
    world.bank.paysAtOnce(false);
    const withdrawal = await follow(world);
    await eventually(() => world.bank.end(withdrawal.id, 'DEVOLVIDO'));

    await eventually(async () => {
      await world.client.notify(withdrawal.id);
      const { data } = await world.client.asOperator(`/withdrawals/${withdrawal.id}`);
      expect(data).toMatchObject({ alarms: [{ recorded: 'PROCESSING', told: 'RETURNED' }] });
    });

    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING' });
    expect(await withdrawal.told()).toEqual([]);
  });
});

describe('an order that the bank took', () => {
  test.each<[string, Record<string, unknown>]>([
    ['without its number', { e2eId: undefined }],
    ['with a number that is none', { e2eId: 17 }],
    ['with a number no database takes', { e2eId: 'E\u0000' }],
    ['with fields that are unknown', { novo: [{}], status: 'NOVO', valor: 17 }],
  ])('%s is paid', async (_what, fields) => {
    world.bank.next('order', answeringWith(fields));
    const withdrawal = await follow(world);

    const ended = await withdrawal.becomes('COMPLETED');

    expect(ended.providerTxId).toBe(world.bank.payoutOf(withdrawal.id)?.endToEndId);
    expect(world.bank.requestsFor(withdrawal.id, 'order')).toHaveLength(1);
  });
});

describe('a first order that the bank refuses', () => {
  test.each<[number, string, string]>([
    [400, 'chave_invalida', 'invalid_key'],
    [400, 'chave_nao_pertence_ao_documento', 'invalid_key'],
    [400, 'documento_bloqueado', 'account_blocked'],
    [400, 'valor_invalido', 'limit_exceeded'],
    [422, 'pagamento_negado', 'refused_by_bank'],
  ])('with %i %s ends FAILED as %s, and is not given again', async (status, name, reason) => {
    world.bank.next('order', () => ({ status, body: { nome: name, mensagem: 'não' } }));
    const withdrawal = await follow(world);

    const ended = await withdrawal.becomes('FAILED');

    expect(ended).toMatchObject({ failureReason: reason, providerTxId: null, completedAt: null });
    expect(ended.failedAt).toEqual(expect.any(String));
    expect(world.bank.requestsFor(withdrawal.id, 'order')).toHaveLength(1);
    expect(world.bank.payoutOf(withdrawal.id)).toBeUndefined();
    expect(await endsOf(world, withdrawal.id)).toMatchObject([
      { type: 'withdrawal.failed', data: { failureReason: reason } },
    ]);
  });
});
