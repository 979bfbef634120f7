import { afterEach, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { startGateway } from '../src/service.ts';
import { type Sending, send, sendAndHangUp } from './support/send.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const merchant = beforeFile(() => world.approvedMerchant());
const key = beforeFile(() => world.newKey(merchant));
afterEach(() => world.services.charges.reset());

const byKey = (own = key) => ({ 'x-api-key': own.key });
const call = (path: string, sending: Sending = {}) =>
  world.call(path, { ...sending, headers: { ...byKey(), ...sending.headers } });

async function listed(query: string, headers: Record<string, string> = byKey()) {
  const { json, status } = await world.call(`/v1/requests?${query}`, { headers });
  return { status, json, rows: status === 200 ? api.listRequests.data.array().parse(json.data) : [] };
}

/** Waits until the log has exactly one line about a request. */
function lineOf(requestId: unknown, headers: Record<string, string> = byKey()) {
  return eventually(async () => {
    const { rows } = await listed(`requestId=${requestId}`, headers);
    const [row] = rows;
    if (!row || rows.length > 1) throw new Error(`${rows.length} lines`);
    return row;
  });
}

const idOf = ({ headers }: { headers: Record<string, unknown> }) => headers['x-request-id'];

describe('a line of the request log', () => {
  test('has the method, path, status and key under the request’s id', async () => {
    const charge = newId();
    const before = Date.now();

    const answered = await call(`/v1/charges/${charge}`);

    const line = await lineOf(idOf(answered));
    expect(line).toEqual({
      ...{ id: idOf(answered), requestId: idOf(answered), environment: 'sandbox', method: 'GET' },
      ...{ path: `/v1/charges/${charge}`, parameters: [], status: 200, errorCode: null, errorMessage: null },
      ...{ apiKeyId: key.id, objectId: charge },
      ...{ durationMs: expect.any(Number), createdAt: expect.any(String) },
    });
    expect(Date.parse(line.createdAt)).toBeGreaterThanOrEqual(before - 1);
  });

  test('has the caller’s request id, even when repeated', async () => {
    const headers = { 'x-request-id': `pedido:${newId()}` };

    await call('/v1/charges', { headers });
    await call('/v1/charges', { headers });

    await eventually(async () => {
      const { rows } = await listed(`requestId=${headers['x-request-id']}`);
      expect(rows.map(({ requestId }) => requestId)).toEqual(Array(2).fill(headers['x-request-id']));
      expect(new Set(rows.map(({ id }) => id)).size).toBe(2);
    });
  });

  test('names the object that a service created', async () => {
    const id = newId();
    const body = JSON.stringify({ success: true, data: { id, amount: 2500 } });
    world.services.charges.answer(() => ({ status: 201, body }));

    await call('/v1/charges', { method: 'POST', body: { amount: 2500 } });

    await eventually(async () => {
      const { rows } = await listed(`objectId=${id}`);
      expect(rows.map(({ method, path, status }) => [method, path, status])).toEqual([
        ['POST', '/v1/charges', 201],
      ]);
    });
  });

  test.each([
    ['a service refuses', 409, 'INVALID_STATE'],
    ['a service can’t answer', 503, 'PROVIDER_UNAVAILABLE'],
  ])('has the error code and the masked message when %s', async (_who, status, code) => {
    const body = JSON.stringify({ success: false, error: { code, message: 'não:\t"CPF"\0 12345678909' } });
    world.services.charges.answer(() => ({ status, body }));

    const answered = await call(`/v1/charges/${newId()}`);

    expect(await lineOf(idOf(answered))).toMatchObject({
      ...{ status, errorCode: code },
      errorMessage: 'não: "CPF" [number]',
    });
  });

  test('exists for refusals of the gateway with an authenticated caller', async () => {
    const narrow = await world.newKey(merchant, { scopes: ['disputes:write'] });
    const elsewhere = await world.newKey(merchant, { allowedIps: ['203.0.113.7'] });

    const refused = [
      await world.call('/v1/balance', { headers: byKey(narrow) }),
      await world.call('/v1/balance', { headers: byKey(elsewhere) }),
      await call('/v1/charges', {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: Buffer.from('x'),
      }),
      await call('/v1/charges', { headers: { 'x-environment': 'production' } }),
    ];

    for (const one of refused) {
      expect(await lineOf(idOf(one))).toMatchObject({
        ...{ status: one.status, errorCode: one.code },
        errorMessage: one.json.error?.message,
      });
    }
  });

  test('contains no personal data', async () => {
    const secret = '12345678909';
    const query = `search=${secret}&metadata[${secret}]=${secret}&${secret}=1&status=PAID`;

    const read = await call(`/v1/charges/${secret}?${query}`);
    const list = await call(`/v1/charges?${query}`);

    const named = await call('/v1/disputes', { headers: { 'x-request-id': `pedido-${secret}` } });

    expect(idOf(named)).toBe(`pedido-${secret}`);
    await eventually(async () => {
      const [row] = (await listed('path=/v1/disputes')).rows;
      expect(row).toMatchObject({ requestId: null, status: 200 });
    });
    const [one, other] = [await lineOf(idOf(read)), await lineOf(idOf(list))];
    expect(one).toMatchObject({ path: '/v1/charges/:id', parameters: [], objectId: null });
    expect(other).toMatchObject({ path: '/v1/charges', parameters: ['status', 'search'] });
    const lines = await world.database.query('SELECT l::text AS line FROM request_log l');
    expect(JSON.stringify(lines)).not.toContain(secret);
    expect(JSON.stringify(lines)).not.toContain(key.key);
  });

  test('has no status when its caller hangs up', async () => {
    const path = `/v1/charges/${newId()}`;
    const isThere = new Promise<void>((resolve) => world.services.charges.intercept(() => resolve()));
    const port = Number(new URL(world.gateway.url).port);

    await sendAndHangUp(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${key.key}\r\n\r\n`);
    await Promise.race([isThere, new Promise((resolve) => setTimeout(resolve, 500))]);

    await eventually(async () => {
      const { rows } = await listed(`path=${path}`);
      expect(rows.map(({ status }) => status)).toEqual([null]);
    });
  });

  test('of a session has no key but the requested environment', async () => {
    const headers = { ...merchant.bearer, 'x-environment': 'production' };

    const forwarded = await world.call('/v1/charges', { headers });
    const own = await world.call('/v1/account', { headers });
    const neither = await world.call('/v1/account', { headers: merchant.bearer });

    for (const one of [forwarded, own]) {
      expect(await lineOf(idOf(one), headers)).toMatchObject({ apiKeyId: null, environment: 'production' });
    }
    expect(await lineOf(idOf(neither))).toMatchObject({ path: '/v1/account', environment: 'sandbox' });
  });

  test('is written before a gateway stops', async () => {
    const replica = await startGateway(world.env);
    const answered = await send(`${replica.url}/v1/charges`, { headers: byKey() });

    await replica.stop();

    expect((await listed(`requestId=${idOf(answered)}`)).rows).toHaveLength(1);
  });

  test('never covers reads of the log or requests of operators', async () => {
    await listed('limit=1');
    await world.call('/v1/admin/merchants', { headers: await world.operator() });
    await lineOf(idOf(await call('/v1/charges')));

    const lines = await world.database.query('SELECT path FROM request_log');

    expect(lines.filter(({ path }) => path === '/v1/requests' || path.startsWith('/v1/admin'))).toEqual([]);
  });

  test('does not exist when the retention is zero', async () => {
    const replica = await startGateway({ ...world.env, REQUEST_LOG_RETENTION_DAYS: '0' });
    const answered = await send(`${replica.url}/v1/charges`, { headers: byKey() });
    const { json } = await send(`${replica.url}/v1/requests`, { headers: byKey() });

    await replica.stop();

    expect(json.data).toEqual([]);
    expect((await listed(`requestId=${idOf(answered)}`)).rows).toEqual([]);
  });
});
