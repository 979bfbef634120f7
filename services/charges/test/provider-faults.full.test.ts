import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Behaviour } from '@plataforma/testing';
import {
  answeringWith,
  doneThen500,
  doneThenGarbage,
  doneThenReset,
  doneThenSilence,
  error500,
  nothingHere,
  refused,
  reset,
  silence,
  tokenEnded,
  tooMany,
} from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { codeOf, newOrder } from './support/client.ts';
import type { Operation } from './support/fake-pix.ts';
import { newTenant } from './support/identity.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

const created = api.createCharge.data;
const UNAVAILABLE = [503, 'PROVIDER_UNAVAILABLE'];
const ERROR = [502, 'PROVIDER_ERROR'];
const txidsOf = async (externalId: unknown) => (await world.attemptsOf(externalId)).map(({ txid }) => txid);

describe('a charge that the provider does not confirm', () => {
  test.each<[string, Operation, Behaviour, unknown[]]>([
    ['does not answer', 'create', silence, UNAVAILABLE],
    ['resets the connection', 'create', reset, UNAVAILABLE],
    ['answers 500', 'create', error500, UNAVAILABLE],
    ['answers 429', 'create', tooMany, UNAVAILABLE],
    ['creates it and does not answer', 'create', doneThenSilence, UNAVAILABLE],
    ['creates it and resets the connection', 'create', doneThenReset, UNAVAILABLE],
    ['creates it and answers 500', 'create', doneThen500, UNAVAILABLE],
    ['creates it and answers garbage', 'create', doneThenGarbage, ERROR],
    ['refuses it', 'create', refused, ERROR],
    ['answers 404', 'create', nothingHere, ERROR],
    [
      'answers without a code',
      'create',
      answeringWith({ pixCopiaECola: undefined, location: undefined }),
      ERROR,
    ],
    ['answers an empty code', 'create', answeringWith({ pixCopiaECola: '', location: undefined }), ERROR],
    [
      'answers an overlong code',
      'create',
      answeringWith({ pixCopiaECola: '0'.repeat(513), location: undefined }),
      ERROR,
    ],
    ['answers another charge', 'create', answeringWith({ txid: 'a'.repeat(32) }), ERROR],
    ['answers endlessly', 'create', answeringWith({ more: 'x'.repeat(2 ** 21) }), UNAVAILABLE],
  ])('can be requested again when the provider %s', async (_what, operation, behaviour, expected) => {
    const tenant = newTenant();
    const order = newOrder();
    world.provider.next(operation, behaviour);

    const failed = await world.client.create(tenant, order);
    const [txid, ...more] = await txidsOf(order.externalId);
    const repeated = await world.client.create(tenant, order);

    expect([failed.status, failed.error?.code]).toEqual(expected);
    expect(failed.headers.get('retry-after')).toBe(failed.status === 503 ? '2' : null);
    expect(repeated.status).toBe(200);
    expect(created.parse(repeated.data)).toMatchObject({
      txid,
      status: 'PENDING',
      qrCode: expect.any(String),
    });
    expect([more, await txidsOf(order.externalId)]).toEqual([[], [txid]]);
    expect(world.provider.book.find(String(txid))).toMatchObject({ status: 'ATIVA' });
  });

  test.each<[string, Behaviour]>([
    ['does not answer', silence],
    ['resets the connection', reset],
    ['answers 500', error500],
    ['refuses the credentials', tokenEnded],
    ['answers an empty token', answeringWith({ access_token: '' })],
    ['answers garbage', () => ({ status: 200, text: 'access_token=1' })],
    ['answers a token without an expiry', answeringWith({ expires_in: undefined })],
  ])('can be requested again when the token server %s', async (_what, behaviour) => {
    const tenant = newTenant();
    const order = newOrder();
    world.provider.endTokens();
    world.provider.next('token', behaviour);

    const failed = await world.client.create(tenant, order);
    const repeated = await world.client.create(tenant, order);

    expect([failed.status, failed.error?.code]).toEqual(UNAVAILABLE);
    expect(repeated.status).toBe(200);
    expect(await txidsOf(order.externalId)).toEqual([created.parse(repeated.data).txid]);
  });

  test('stays one charge for twenty concurrent requests', async () => {
    const tenant = newTenant();
    const order = newOrder();
    world.provider.next(
      'create',
      reset,
      doneThen500,
      doneThenReset,
      error500,
      doneThenGarbage,
      reset,
      refused,
    );

    const answers = await Promise.all(Array.from({ length: 20 }, () => world.client.create(tenant, order)));
    const repeated = await world.client.create(tenant, order);

    const { txid } = created.parse(repeated.data);
    const successful = answers
      .filter(({ status }) => status < 300)
      .map(({ data }) => created.parse(data).txid);
    expect(repeated.status).toBe(200);
    expect(new Set([...successful, txid]).size).toBe(1);
    expect(await txidsOf(order.externalId)).toEqual([txid]);
  });

  test('has no code for the shop or its buyer', async () => {
    const tenant = newTenant();
    const order = newOrder();
    world.provider.next('create', error500);
    await world.client.create(tenant, order);
    const [{ id } = { id: '' }] = await world.attemptsOf(order.externalId);

    const charge = await world.client.charge(tenant, id);
    const checkout = await world.client.checkout(id);

    expect(charge).toMatchObject({ status: 'PENDING', qrCode: null, qrCodeBase64: null });
    expect(checkout.data).not.toHaveProperty('qrCode');
    expect(checkout.data).not.toHaveProperty('qrCodeBase64');
  });
});

describe('a late registration', () => {
  async function unconfirmed() {
    const tenant = newTenant();
    const order = newOrder({ expiresIn: 3600 });
    world.provider.next('create', error500);
    await world.client.create(tenant, order);
    const [txid] = await txidsOf(order.externalId);
    return { tenant, order, txid: String(txid) };
  }

  test('has only the charge’s remaining time', async () => {
    const { tenant, order, txid } = await unconfirmed();
    await world.database.query(
      `UPDATE charges
       SET created_at = created_at - interval '3509.5 s', expires_at = now() + interval '90.5 s'
       WHERE txid = $1`,
      [txid],
    );

    await world.client.create(tenant, order);

    const cobFields = world.provider.book.find(txid)?.fields;
    expect(cobFields?.calendario.expiracao).toBeGreaterThan(85);
    expect(cobFields?.calendario.expiracao).toBeLessThanOrEqual(91);
  });

  test('is not made after the charge’s expiry', async () => {
    const { tenant, order, txid } = await unconfirmed();
    await world.database.query(`UPDATE charges SET expires_at = now() - interval '1 s' WHERE txid = $1`, [
      txid,
    ]);

    const { status, data } = await world.client.create(tenant, order);

    expect([status, created.parse(data)]).toMatchObject([200, { txid, qrCode: null }]);
    expect(world.provider.requestsFor(txid, 'create')).toHaveLength(1);
  });

  test('reads the code when the provider reports a duplicate', async () => {
    const tenant = newTenant();
    const order = newOrder();
    world.provider.next('create', doneThenReset, refused);
    await world.client.create(tenant, order);

    const { status, data } = await world.client.create(tenant, order);

    const { txid, qrCode } = created.parse(data);
    expect(status).toBe(200);
    expect(qrCode).toContain(txid);
    expect(world.provider.requestsFor(txid, 'read')).toHaveLength(1);
  });
});

describe('a provider with unusual answers', () => {
  test('may write numbers as text', async () => {
    world.provider.endTokens();
    world.provider.next('token', answeringWith({ expires_in: '3600' }));
    world.provider.next('create', answeringWith({ revisao: '0', calendario: { expiracao: '3600' } }));

    const { status } = await world.client.create(newTenant(), newOrder());

    expect(status).toBe(201);
  });

  test.each(['EM_ANALISE', 'constructor', ''])('may have an unknown status: %j', async (status) => {
    world.provider.next('create', answeringWith({ status }));

    const answer = await world.client.create(newTenant(), newOrder());

    expect([answer.status, created.parse(answer.data).status]).toEqual([201, 'PENDING']);
  });

  test('that refuses every token is PROVIDER_ERROR', async () => {
    world.provider.next('create', tokenEnded, tokenEnded);
    world.provider.next('read', tokenEnded, tokenEnded);

    expect(await codeOf(world.client.create(newTenant(), newOrder()))).toEqual(ERROR);
  });
});
