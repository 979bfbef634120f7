import { crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { inBase62, numberInBase62 } from './support/base62.ts';
import { forceStatus, sharedWorld, verifierOf } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const merchant = beforeFile(() => world.newMerchant());

const create = (body: unknown, who = merchant) => world.post('/v1/api-keys', body, who.bearer);
const revoke = (id: string, who = merchant) =>
  world.call(`/v1/api-keys/${id}`, { method: 'DELETE', headers: who.bearer });
const listOf = async (who = merchant) =>
  api.listApiKeys.data.array().parse((await world.call('/v1/api-keys', { headers: who.bearer })).json.data);
const use = (key: string) => world.call('/v1/balance', { headers: { 'x-api-key': key } });

describe('a new API key', () => {
  test('has the wide scopes and any address by default', async () => {
    const { status, json } = await create({ name: 'loja', environment: 'sandbox' });

    expect(status).toBe(201);
    expect(json.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'loja',
      key: expect.stringMatching(/^sk_sandbox_[0-9A-Za-z]{38}$/),
      environment: 'sandbox',
      scopes: ['charges:write', 'charges:read', 'wallet:read', 'withdrawals:write'],
      allowedIps: [],
      expiresAt: null,
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  test('has the chosen scopes, addresses and expiry', async () => {
    const chosen = {
      name: 'só leitura',
      environment: 'sandbox',
      scopes: ['wallet:read', 'wallet:read'],
      allowedIps: ['203.0.113.7', '2001:db8::/32'],
      expiresAt: '2099-01-01T00:00:00-03:00',
    };

    const { json } = await create(chosen);

    const expected = { ...chosen, scopes: ['wallet:read'], expiresAt: '2099-01-01T03:00:00.000Z' };
    expect(json.data).toMatchObject(expected);
  });

  test('works until the end of its last day in São Paulo', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const lastDay = await create({ name: 'loja', environment: 'sandbox', expiresAt: '2098-12-31' });
    const thisDay = await create({ name: 'loja', environment: 'sandbox', expiresAt: today });

    expect(lastDay.json.data).toMatchObject({ expiresAt: '2099-01-01T03:00:00.000Z' });
    expect(thisDay.status).toBe(201);
  });

  test('ends with a CRC-32 checksum in six characters of base62', async () => {
    const { key } = await world.newKey(merchant);

    expect(numberInBase62(key.slice(-6))).toBe(crc32(key.slice(0, -6)));
  });

  test('is shown once and stored nowhere', async () => {
    const { id, key } = await world.newKey(merchant);
    await use(key);

    const listed = (await listOf()).find((one) => one.id === id);
    const tables = await world.database.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    const dump = await Promise.all(
      tables.map(({ name }) => world.database.queryUnprepared(`SELECT * FROM ${name}`, [])),
    );

    expect(listed).toMatchObject({ maskedKey: `sk_sandbox_********${key.slice(-4)}`, revokedAt: null });
    expect(JSON.stringify(await listOf())).not.toContain(key);
    expect(listed).not.toHaveProperty('key');
    expect(JSON.stringify(dump)).toContain(id);
    for (const piece of [key, key.slice(11), key.slice(11, 43)])
      expect(JSON.stringify(dump)).not.toContain(piece);
  });

  test.each<[string, object, string]>([
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt: must lie in the future'],
    ['an expiry on a day that is over', { expiresAt: '2020-01-01' }, 'expiresAt: must lie in the future'],
    ...['localhost', '300.1.1.1', '10.0.0.0/33', '::1/129', '1.2.3.4/x', '10.0.0', 'fe80::/-1', '*'].map(
      (entry): [string, object, string] => [
        `the address ${entry}`,
        { allowedIps: ['203.0.113.7', entry] },
        'allowedIps: must hold IPv4 or IPv6 addresses or CIDR ranges',
      ],
    ),
  ])('is refused with %s', async (_what, changes, message) => {
    const { status, json } = await create({ name: 'loja', environment: 'sandbox', ...changes });

    expect([status, json.error]).toEqual([400, { code: 'VALIDATION_ERROR', message }]);
  });

  test('needs an approved merchant for production', async () => {
    const approved = await world.approvedMerchant();

    const refused = await create({ name: 'loja', environment: 'production' });
    const { key } = await world.newKey(approved, { environment: 'production' });

    expect([refused.status, refused.code]).toEqual([403, 'MERCHANT_NOT_APPROVED']);
    expect(key).toMatch(/^sk_live_[0-9A-Za-z]{38}$/);
  });

  test.each(['SUSPENDED', 'REJECTED'])('is refused to a merchant that is %s', async (status) => {
    const barred = await world.newMerchant();
    await forceStatus(world, barred.id, status);

    const answers = [await create({ name: 'loja', environment: 'sandbox' }, barred)];
    answers.push(await create({ name: 'loja', environment: 'production' }, barred));

    expect(answers.map(({ code }) => code)).toEqual(['MERCHANT_SUSPENDED', 'MERCHANT_SUSPENDED']);
  });

  test('cannot be created with an API key', async () => {
    const { key } = await world.newKey(merchant);

    expect(
      await world.post('/v1/api-keys', { name: 'loja', environment: 'sandbox' }, { 'x-api-key': key }),
    ).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });
});

describe('an API key', () => {
  test('is listed and revoked by its own merchant only', async () => {
    const stranger = await world.newMerchant();
    const { id, key } = await world.newKey(merchant);

    expect(await revoke(id, stranger)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await listOf(stranger)).toEqual([]);
    expect((await use(key)).status).toBe(200);
  });

  test.each([newId(), 'x'])('is not revoked when it does not exist (%s)', async (id) => {
    expect(await revoke(id)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  test('is refused within five seconds of its first revocation', async () => {
    const { id, key } = await world.newKey(merchant);
    await use(key);

    const revoked = await revoke(id);
    const at = (await listOf()).find((one) => one.id === id)?.revokedAt;
    await revoke(id);

    const message = expect.any(String);
    expect([revoked.status, revoked.json]).toEqual([200, { success: true, data: { message } }]);
    await eventually(
      async () => {
        expect(await use(key)).toMatchObject({ status: 401, code: 'API_KEY_REVOKED' });
      },
      { timeoutMs: 5_000 },
    );
    expect(at).toMatch(/Z$/);
    expect((await listOf()).find((one) => one.id === id)?.revokedAt).toBe(at);
  });

  test('is refused after its expiry', async () => {
    const { key } = await world.newKey(merchant, { expiresAt: new Date(Date.now() + 3_000).toISOString() });

    await eventually(async () => expect((await use(key)).code).toBe('API_KEY_EXPIRED'));
  });

  test('is INVALID_API_KEY when it is unassigned or malformed', async () => {
    const { key } = await world.newKey(merchant);
    const start = `${key.slice(0, 42)}${key.at(42) === 'A' ? 'B' : 'A'}`;

    for (const wrong of [
      start + inBase62(crc32(start), { length: 6 }),
      key.slice(0, -1),
      `${key}x`,
      key.replace('sandbox', 'live'),
      'x',
      'sk_live_',
    ]) {
      expect((await use(wrong)).code).toBe('INVALID_API_KEY');
    }
  });

  test('has the environment of its row, not of its prefix', async () => {
    const { id, key } = await world.newKey(await world.approvedMerchant());
    await world.database.query("UPDATE api_keys SET environment = 'production' WHERE id = $1", [id]);

    await use(key);

    const identity = String(world.services.ledger.last().headers['x-internal-identity']);
    expect(verifierOf('ledger').verify(identity)).toMatchObject({ identity: { environment: 'production' } });
  });

  test('with a typo is refused without a database query', async () => {
    const { key } = await world.newKey(merchant);
    const typo = `${key.slice(0, 20)}${key.at(20) === 'A' ? 'B' : 'A'}${key.slice(21)}`;

    const refused = await world.database.transaction(async (tx) => {
      await tx.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
      const asking = use(key);
      const first = await Promise.race([use(typo), asking]);
      return { first, asking };
    });

    expect([refused.first.status, refused.first.code]).toEqual([401, 'INVALID_API_KEY']);
    expect((await refused.asking).status).toBe(200);
  });
});
