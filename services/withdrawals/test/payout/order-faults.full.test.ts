import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  answeringWith,
  type Behaviour,
  doneThen,
  doneThen500,
  doneThenGarbage,
  doneThenReset,
  error500,
  nothingHere,
  reset,
  tokenEnded,
  tooMany,
} from '@plataforma/testing';
import { startWorld, type World } from '../support/world.ts';
import { disagreements, follow } from './support/payouts.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => world.bank.always('find'));
afterAll(async () => {
  expect(await disagreements(world)).toEqual([]);
  await world.stop();
});

const answers =
  (status: number, body: unknown): Behaviour =>
  () => ({ status, body });
const problem = (status: number, nome?: string) => answers(status, { nome, mensagem: 'não' });

describe('an order that gets no definite answer', () => {
  test.each<[string, Behaviour[]]>([
    ['a reset connection', [reset]],
    ['500', [error500]],
    ['500 with the name of a refusal', [problem(500, 'chave_invalida')]],
    ['429', [tooMany]],
    ['a page', [() => ({ status: 200, text: '<html>' })]],
    ['an empty object', [answers(201, {})]],
    ['null', [answers(201, null)]],
    ['somebody else’s id', [answers(201, { idEnvio: 'a'.repeat(32), status: 'REALIZADO' })]],
    ['a number for an id', [answers(201, { idEnvio: 17 })]],
    ['a redirect', [answers(302, {})]],
    ['401 as the token has ended', [tokenEnded]],
    ['401 for ever', [tokenEnded, tokenEnded]],
    ['403', [problem(403, 'acesso_negado')]],
    ['404', [nothingHere]],
    ['400 with a name nobody has heard of', [problem(400, 'requisicao_invalida')]],
    ['400 with the name of an inherited property', [problem(400, 'constructor')]],
    ['400 without a name', [problem(400)]],
    ['400 without a word', [() => ({ status: 400, text: '' })]],
    ['422 with a name nobody has heard of', [problem(422, 'saldo_insuficiente')]],
    ['that it was ordered before, of what the bank does not know', [problem(409, 'id_envio_duplicado')]],
    ['409 without a name', [problem(409)]],
  ])('but %s is given again under the same id, and paid once', async (_what, behaviours) => {
    world.bank.next('order', ...behaviours);
    const withdrawal = await follow(world);

    await withdrawal.becomes('COMPLETED');

    const orders = world.bank.requestsFor(withdrawal.id, 'order');
    expect(orders.length).toBeGreaterThan(behaviours.length);
    expect(new Set(orders.map(({ body }) => body)).size).toBe(1);
    expect(await withdrawal.told()).toEqual(['withdrawal.completed']);
  });

  test.each<[string, Behaviour]>([
    ['a reset connection', doneThenReset],
    ['500', doneThen500],
    ['a page', doneThenGarbage],
    ['400 with a name nobody has heard of', doneThen({ status: 400, body: { nome: 'erro_generico' } })],
    ['401', doneThen({ status: 401, body: {} })],
  ])('but %s, though the bank took it, is paid once', async (_what, behaviour) => {
    world.bank.next('order', behaviour);
    const withdrawal = await follow(world);

    await withdrawal.becomes('COMPLETED');

    expect(await withdrawal.told()).toEqual(['withdrawal.completed']);
  });

  test('moves nothing for as long as nothing else can be heard', async () => {
    world.bank.next('order', doneThen500);
    world.bank.always('find', error500);
    const withdrawal = await follow(world);

    await withdrawal.isAsked('find', 3);

    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING', failureReason: null });
    expect(await withdrawal.told()).toEqual([]);
    world.bank.always('find');
    await withdrawal.becomes('COMPLETED');
  });
});

describe('an order that the bank took', () => {
  test.each<[string, Record<string, unknown>]>([
    ['without its number', { e2eId: undefined }],
    ['with a number that is none', { e2eId: 17 }],
    ['with a number no database takes', { e2eId: 'E\u0000' }],
    ['with fields nobody has heard of', { novo: [{}], status: 'NOVO', valor: 17 }],
  ])('%s is paid all the same', async (_what, fields) => {
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
    world.bank.next('order', problem(status, name));
    const withdrawal = await follow(world);

    const ended = await withdrawal.becomes('FAILED');

    expect(ended).toMatchObject({ failureReason: reason, providerTxId: null, completedAt: null });
    expect(ended.failedAt).toEqual(expect.any(String));
    expect(world.bank.requestsFor(withdrawal.id, 'order')).toHaveLength(1);
    expect(world.bank.payoutOf(withdrawal.id)).toBeUndefined();
    expect(await world.eventsOf(withdrawal.id)).toMatchObject([
      { type: 'withdrawal.failed', data: { failureReason: reason } },
    ]);
  });
});
