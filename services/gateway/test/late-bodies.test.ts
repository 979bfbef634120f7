import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { operatorAs } from './support/operators.ts';
import { ownSessionsIn } from './support/own-sessions.ts';
import type { Sending } from './support/send.ts';
import { startWorld, type World } from './support/world.ts';

const world = worldOfFile(startWorld);

afterEach(() => Promise.all(Object.values(world.services).map((service) => service.reset())));

const { change, end, logIn } = ownSessionsIn(world);

/** A delay after which the gateway authenticates the caller a second time. */
const LATE_MS = 300;
const FORM = { 'content-type': 'multipart/form-data; boundary=limite' };

interface Late {
  method?: string;
  path: string;
  headers: Record<string, string>;
  /** The body. Its first byte is sent at once, and its other bytes later. */
  body: string;
}

/** Starts a request: sends its headers and the first byte of its body. */
function begin({ method = 'POST', path, headers, body }: Late) {
  const answer = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  const socket = connect(Number(new URL(world.gateway.url).port), '127.0.0.1');
  const about = { 'content-type': 'application/json', ...headers, 'content-length': `${body.length}` };
  const lines = Object.entries({ host: 'x', connection: 'close', ...about }).map((line) => line.join(': '));
  socket.write(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body.slice(0, 1)}`);
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('close', () => answer.resolve(Buffer.concat(chunks).toString()));
  socket.on('error', answer.reject);
  return {
    answer: answer.promise,
    finish: () => socket.write(body.slice(1)),
  };
}

/**
 * Reads everything that a request could change: the counts of rows, a company's name, and the forwarded
 * requests.
 */
async function effects() {
  const [rows] = await world.database.query(`
    SELECT (SELECT count(*) FROM api_keys) AS keys, (SELECT count(*) FROM operators) AS operators,
      (SELECT count(*) FROM audit_log) AS audited, (SELECT count(*) FROM idempotency_keys) AS answers,
      (SELECT max(company_name) FROM organizations WHERE company_name LIKE 'Tomada%') AS name`);
  const forwarded = Object.values(world.services).flatMap(({ requests }) =>
    requests.filter(({ body }) => body.length > 2).map(({ url }) => url),
  );
  return { rows, forwarded };
}

interface Access {
  headers: Record<string, string>;
  revoke: () => Promise<unknown>;
}

async function session(
  revoke: (thief: Awaited<ReturnType<typeof logIn>>) => (owner: Owner) => Promise<unknown>,
) {
  const owner = await world.approvedMerchant();
  const thief = await logIn(owner);
  const revokeBy = revoke(thief);
  return { headers: { ...thief.bearer, 'x-environment': 'production' }, revoke: () => revokeBy(owner) };
}

type Owner = Awaited<ReturnType<World['approvedMerchant']>>;

const accesses = {
  'password change': () => session(() => (owner) => change(owner, owner.password)),
  'end of the session': () => session((thief) => (owner) => end(owner, thief.id)),
  'log-out': () =>
    session(
      ({ bearer }) =>
        () =>
          world.call('/v1/auth/logout', { method: 'POST', headers: bearer }),
    ),
  async 'revocation of the key'(): Promise<Access> {
    const merchant = await world.approvedMerchant();
    const { id, key } = await world.newKey(merchant, { environment: 'production' });
    const sending = { method: 'DELETE', headers: merchant.bearer };
    return { headers: { 'x-api-key': key }, revoke: () => world.call(`/v1/api-keys/${id}`, sending) };
  },
  async 'suspension of the merchant'(): Promise<Access> {
    const merchant = await world.approvedMerchant();
    const { key } = await world.newKey(merchant, { environment: 'production' });
    const sending: Sending = {
      ...{ method: 'POST', body: { reason: 'fraude' } },
      headers: (await operatorAs(world, 'ADMIN')).headers,
    };
    const path = `/v1/admin/merchants/${merchant.id}/suspend`;
    return { headers: { 'x-api-key': key }, revoke: () => world.call(path, sending) };
  },
  'deactivation of the operator': () => operatorChanged({ isActive: false }),
  'change of the role': () => operatorChanged({ role: 'SUPPORT' }),
};

async function operatorChanged(body: object): Promise<Access> {
  const [admin, { id, headers }] = [await operatorAs(world, 'ADMIN'), await operatorAs(world, 'ADMIN')];
  const sending = { method: 'PATCH', headers: admin.headers, body };
  return { headers, revoke: () => world.call(`/v1/admin/operators/${id}`, sending) };
}

const keyBody = { name: 'tomada', environment: 'production' };
const operatorBody = { email: 'late@plataforma.test', role: 'ADMIN', password: 'a long password' };
const money = { amount: 100_000 };

describe('a request with a late body', () => {
  test.each<[keyof typeof accesses, string, number, string, object | null]>([
    ['password change', 'POST /v1/withdrawals', 401, 'INVALID_TOKEN', money],
    ['password change', 'POST /v1/api-keys', 401, 'INVALID_TOKEN', keyBody],
    ['password change', 'POST /v1/files', 401, 'INVALID_TOKEN', null],
    ['end of the session', 'POST /v1/charges', 401, 'INVALID_TOKEN', money],
    ['end of the session', 'PATCH /v1/account', 401, 'INVALID_TOKEN', { companyName: 'Tomada' }],
    ['log-out', 'POST /v1/destinations', 401, 'INVALID_TOKEN', money],
    ['revocation of the key', 'POST /v1/withdrawals', 401, 'API_KEY_REVOKED', money],
    ['revocation of the key', 'POST /v1/files', 401, 'API_KEY_REVOKED', null],
    ['suspension of the merchant', 'POST /v1/charges', 403, 'MERCHANT_SUSPENDED', money],
    ['deactivation of the operator', 'POST /v1/admin/operators', 401, 'INVALID_TOKEN', operatorBody],
    ['deactivation of the operator', 'POST /v1/admin/ledger/adjustments', 401, 'INVALID_TOKEN', money],
    ['change of the role', 'POST /v1/admin/ledger/adjustments', 403, 'FORBIDDEN', money],
  ])('is refused after the %s: %s', async (by, endpoint, status, code, fields) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const access = await accesses[by]();
    const own = { ...access.headers, 'idempotency-key': newId(), ...(!fields && FORM) };
    const body = fields ? JSON.stringify(fields) : '----';
    const late = begin({ method, path, headers: own, body });
    await sleep(LATE_MS);

    await access.revoke();
    await eventually(async () => {
      const fresh = await world.call(path, { method, headers: own, body: Buffer.from(fields ? '{}' : '--') });
      expect([fresh.status, fresh.code]).toEqual([status, code]);
    });
    const before = await effects();
    // The gateway may have read the headers just before the access ended. After this wait the gateway must
    // authenticate the request again.
    await sleep(LATE_MS);
    late.finish();
    const answer = await late.answer;

    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain(`"code":"${code}"`);
    expect(await effects()).toEqual(before);
  });
});

test('a waiting form is refused after its session ends', async () => {
  const { headers, revoke } = await accesses['end of the session']();
  const form = { path: '/v1/files', headers: { ...headers, ...FORM }, body: '----' };
  const open = [begin(form), begin(form), begin(form), begin(form)];
  await sleep(LATE_MS);
  const waiting = begin(form);
  waiting.finish();
  await sleep(LATE_MS);

  await revoke();
  await eventually(async () =>
    expect((await world.call('/v1/balance', { headers })).code).toBe('INVALID_TOKEN'),
  );
  for (const { finish } of open) finish();

  for (const { answer } of [...open, waiting]) expect(await answer).toContain('HTTP/1.1 401 ');
  expect(world.services.charges.requests).toEqual([]);
});

test('a request with a late body is counted and logged once', async () => {
  const { key } = await world.newKey(await world.approvedMerchant(), { environment: 'production' });
  const headers = { 'x-api-key': key };
  const left = async () => (await world.call('/v1/balance', { headers })).headers['ratelimit-remaining'];
  const before = Number(await left());

  const late = begin({ path: '/v1/charges', headers, body: JSON.stringify(money) });
  await sleep(LATE_MS);
  late.finish();

  expect(await late.answer).toContain('HTTP/1.1 200 ');
  expect(Number(await left())).toBe(before - 2);
  await eventually(async () => {
    const { json } = await world.call('/v1/requests', { headers });
    const paths = api.listRequests.data
      .array()
      .parse(json.data)
      .map(({ path }) => path);
    expect(paths).toEqual(['/v1/balance', '/v1/charges', '/v1/balance']);
  });
});
