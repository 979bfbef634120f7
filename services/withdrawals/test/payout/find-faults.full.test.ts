import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  answeringWith,
  type Behaviour,
  error500,
  eventually,
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
afterEach(() => {
  world.bank.always('find');
  world.bank.paysAtOnce(true);
});
afterAll(async () => {
  expect(await disagreements(world)).toEqual([]);
  await world.stop();
});

const answers =
  (status: number, body: unknown): Behaviour =>
  () => ({ status, body });

describe('a payout of which the bank', () => {
  test.each<[string, Behaviour]>([
    ['resets the connection', reset],
    ['answers 500', error500],
    ['answers 429', tooMany],
    ['answers a page', () => ({ status: 200, text: '<html>' })],
    ['answers half an object', () => ({ status: 200, text: '{"idEnvio":' })],
    ['answers an empty object', answers(200, {})],
    ['answers null', answers(200, null)],
    ['answers a list', answers(200, [])],
    ['answers 401', tokenEnded],
    ['answers 403', answers(403, { nome: 'acesso_negado' })],
    ['answers 404 without a name', nothingHere],
    ['answers 410', answers(410, { nome: 'envio_removido' })],
    ['tells of another one', answeringWith({ idEnvio: 'a'.repeat(32) })],
    ['tells of none', answeringWith({ idEnvio: undefined })],
    ['says it is paid, with another amount', answeringWith({ valor: '0.01' })],
    ['says it is paid, with no amount', answeringWith({ valor: null })],
    ['says it is paid, with an amount in cents', answeringWith({ valor: 15_000 })],
    ['says it is paid, with a comma', answeringWith({ valor: '150,00' })],
    ['says it is paid, with an amount that is a list', answeringWith({ valor: ['150.00', ''] })],
    ['says it is paid, without its number', answeringWith({ endToEndId: undefined })],
    ['says it is paid, with an empty number', answeringWith({ endToEndId: '' })],
    ['says it is paid, with a number no database takes', answeringWith({ endToEndId: 'E\u0000' })],
    ['says it is paid, with a number without end', answeringWith({ endToEndId: 'E'.repeat(65) })],
    ['says what nobody has heard of', answeringWith({ status: 'EM_ANALISE' })],
    ['says that it came back', answeringWith({ status: 'DEVOLVIDO' })],
    ['says the name of an inherited property', answeringWith({ status: 'constructor' })],
    ['gives a number for a status', answeringWith({ status: 1 })],
    ['gives no status', answeringWith({ status: undefined })],
  ])('%s stays PROCESSING until the bank tells', async (_what, behaviour) => {
    world.bank.always('find', behaviour);
    const withdrawal = await follow(world);

    await withdrawal.isAsked('find', 2);

    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING', failureReason: null });
    expect(await withdrawal.told()).toEqual([]);
    world.bank.always('find');
    expect(await withdrawal.becomes('COMPLETED')).toMatchObject({
      providerTxId: world.bank.payoutOf(withdrawal.id)?.endToEndId,
    });
    expect(await withdrawal.told()).toEqual(['withdrawal.completed']);
  });

  test.each<[string, Record<string, unknown>]>([
    ['its amount as a number', { valor: 150 }],
    ['its amount with one decimal', { valor: '150.0' }],
    ['more than anybody has heard of', { novo: {}, motivo: 17, horario: null, chave: [] }],
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

  test('says, of an order it took, that it knows of none is not ordered again, and only asked about', async () => {
    const knowsNothing = answers(404, { nome: 'envio_nao_encontrado' });
    world.bank.always('find', knowsNothing);
    const withdrawal = await follow(world);
    await withdrawal.isAsked('find', 3);
    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING' });
    world.bank.always('find');

    await withdrawal.becomes('COMPLETED');

    expect(world.bank.requestsFor(withdrawal.id, 'order')).toHaveLength(1);
    expect(await withdrawal.told()).toEqual(['withdrawal.completed']);
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

  test('is asked at another account of ours than it was ordered from is neither asked nor ordered', async () => {
    world.bank.paysAtOnce(false);
    const withdrawal = await follow(world);
    await withdrawal.isAsked('find', 1);
    await world.database.query(`UPDATE withdrawals SET ordered_from = 'outra@conta.test' WHERE id = $1`, [
      withdrawal.id,
    ]);
    const before = world.bank.requestsFor(withdrawal.id, 'find').length;
    const { checks } = (await world.rowOf(withdrawal.id)) ?? {};

    await eventually(async () => {
      await world.lookNow(withdrawal.id);
      const row = await world.rowOf(withdrawal.id);
      expect(Number(row?.checks)).toBeGreaterThan(Number(checks) + 2);
    });

    // One may have been on its way.
    expect(world.bank.requestsFor(withdrawal.id, 'find').length).toBeLessThanOrEqual(before + 1);
    expect(world.bank.requestsFor(withdrawal.id, 'order')).toHaveLength(1);
    expect(await withdrawal.now()).toMatchObject({ status: 'PROCESSING' });
  });
});
