import { describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { startGateway } from '../src/service.ts';
import { auditOf, operatorAs } from './support/operators.ts';
import { type Answered, send } from './support/send.ts';
import { type Merchant, sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const merchant = beforeFile(() => world.newMerchant());
const admin = beforeFile(() => operatorAs(world, 'ADMIN'));

const newKey = { name: 'loja', environment: 'sandbox' };
const operator = () => ({
  email: `${newId()}@plataforma.test`,
  password: 'uma senha bem longa',
  role: 'FINANCE',
});
const post = (path: string, body: unknown, headers: object) => world.post(path, body, { ...headers });
const keyed = (key: string, who: { headers: object } = { headers: merchant.bearer }) => ({
  ...who.headers,
  'idempotency-key': key,
});
const keysOf = async ({ bearer }: Merchant) =>
  api.listApiKeys.data.array().parse((await world.call('/v1/api-keys', { headers: bearer })).json.data);
const replayed = ({ headers }: Answered) => headers['idempotency-replayed'];

describe('an idempotent request for an API key', () => {
  test('returns the same key again and creates only one', async () => {
    const owner = await world.newMerchant();
    const headers = { ...owner.bearer, 'idempotency-key': 'chave-1' };

    const first = await post('/v1/api-keys', newKey, headers);
    const again = await post('/v1/api-keys', newKey, headers);

    expect([first.status, replayed(first)]).toEqual([201, undefined]);
    expect([again.status, replayed(again), again.text]).toEqual([201, 'true', first.text]);
    expect(await keysOf(owner)).toHaveLength(1);
    const { key } = api.createApiKey.data.parse(first.json.data);
    expect((await world.call('/v1/balance', { headers: { 'x-api-key': key } })).status).toBe(200);
  });

  test('is stored sealed, without the readable key', async () => {
    const first = await post('/v1/api-keys', newKey, keyed('chave-2'));
    const { id, key } = api.createApiKey.data.parse(first.json.data);

    const rows = await world.database.query("SELECT * FROM idempotency_keys WHERE key = 'chave-2'");

    expect(rows).toMatchObject([{ owner_id: merchant.id, realm: 'account', status: 201 }]);
    for (const piece of [id, key, key.slice(11, 43)]) expect(JSON.stringify(rows)).not.toContain(piece);
  });

  test('refuses another body or request with its Idempotency-Key', async () => {
    const { id } = await world.newKey(merchant);
    await post('/v1/api-keys', newKey, keyed('chave-3'));

    const other = await post('/v1/api-keys', { ...newKey, name: 'outra' }, keyed('chave-3'));
    const rotation = await post(`/v1/api-keys/${id}/rotate`, {}, keyed('chave-3'));

    expect([other.code, rotation.code]).toEqual(['IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_CONFLICT']);
  });

  test('is separate for each merchant', async () => {
    const stranger = await world.newMerchant();
    const first = await post('/v1/api-keys', newKey, keyed('chave-4'));

    const other = await post('/v1/api-keys', newKey, keyed('chave-4', { headers: stranger.bearer }));

    expect([other.status, replayed(other)]).toEqual([201, undefined]);
    expect(other.text).not.toBe(first.text);
  });

  test(`creates one key for six concurrent copies, ${rounds(20)} times`, async () => {
    const owner = await world.newMerchant();
    const other = await startGateway(world.env);

    for (let round = 0; round < rounds(20); round += 1) {
      const headers = { ...owner.bearer, 'idempotency-key': `rodada-${round}` };
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          send(`${index % 2 ? other.url : world.gateway.url}/v1/api-keys`, {
            method: 'POST',
            body: newKey,
            headers,
          }),
        ),
      );
      const made = answers.filter(({ status }) => status === 201);
      expect(answers.every(({ status, code }) => status === 201 || code === 'REQUEST_IN_PROGRESS')).toBe(
        true,
      );
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      expect(await keysOf(owner)).toHaveLength(round + 1);
    }
    await other.stop();
  });
});

describe('an idempotent rotation', () => {
  test('returns the same new key after the old one is rotated', async () => {
    const { id } = await world.newKey(merchant);
    const headers = keyed(`girar-${id}`);

    const first = await post(`/v1/api-keys/${id}/rotate`, { gracePeriodSeconds: 60 }, headers);
    const again = await post(`/v1/api-keys/${id}/rotate`, { gracePeriodSeconds: 60 }, headers);
    const unkeyed = await post(`/v1/api-keys/${id}/rotate`, { gracePeriodSeconds: 60 }, merchant.bearer);

    expect([first.status, replayed(again), again.text]).toEqual([201, 'true', first.text]);
    expect(unkeyed.code).toBe('INVALID_STATE');
  });

  test(`happens once for six concurrent copies, ${rounds(20)} times`, async () => {
    for (let round = 0; round < rounds(20); round += 1) {
      const { id } = await world.newKey(merchant);
      const headers = keyed(`girar-${id}`);

      const answers = await Promise.all(
        Array.from({ length: 6 }, () => post(`/v1/api-keys/${id}/rotate`, {}, headers)),
      );

      const made = answers.filter(({ status }) => status === 201);
      expect(answers.every(({ status, code }) => status === 201 || code === 'REQUEST_IN_PROGRESS')).toBe(
        true,
      );
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      const replacedBy = (await keysOf(merchant)).find((one) => one.id === id)?.replacedBy;
      expect(made[0]?.json.data).toMatchObject({ id: replacedBy });
      await world.call(`/v1/api-keys/${replacedBy}`, { method: 'DELETE', headers: merchant.bearer });
    }
  });
});

describe('an idempotent request for an operator', () => {
  test('creates one operator and one row in the audit log', async () => {
    const operatorBody = operator();
    const headers = keyed('operador-1', admin);

    const first = await post('/v1/admin/operators', operatorBody, headers);
    const again = await post('/v1/admin/operators', operatorBody, headers);

    const { id } = api.createOperator.data.parse(first.json.data);
    expect([first.status, replayed(again), again.text]).toEqual([201, 'true', first.text]);
    expect(await auditOf(world, id)).toHaveLength(1);
  });

  test('refuses another password and stores no readable one', async () => {
    const operatorBody = operator();
    const headers = keyed('operador-2', admin);
    await post('/v1/admin/operators', operatorBody, headers);

    const other = await post(
      '/v1/admin/operators',
      { ...operatorBody, password: 'uma outra senha longa' },
      headers,
    );

    expect(other.code).toBe('IDEMPOTENCY_CONFLICT');
    const rows = await world.database.query("SELECT * FROM idempotency_keys WHERE key = 'operador-2'");
    expect(rows).toMatchObject([{ realm: 'operator', owner_id: admin.id }]);
    for (const secret of [operatorBody.email, operatorBody.password])
      expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('is separate for each operator', async () => {
    const operatorBody = operator();
    await post('/v1/admin/operators', operatorBody, keyed('operador-3', admin));
    const other = await operatorAs(world, 'ADMIN');

    const answer = await post('/v1/admin/operators', operatorBody, keyed('operador-3', other));

    expect([answer.status, answer.code]).toEqual([409, 'OPERATOR_EXISTS']);
  });

  test('creates one operator for concurrent copies', async () => {
    const operatorBody = operator();
    const headers = keyed('operador-4', admin);

    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post('/v1/admin/operators', operatorBody, headers)),
    );

    const outcomes = new Set(answers.map(({ status, code }) => (status === 201 ? 'made' : code)));
    expect([...outcomes].filter((one) => one !== 'REQUEST_IN_PROGRESS')).toEqual(['made']);
  });
});
