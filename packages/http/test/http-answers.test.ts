import { describe, expect, test } from '@jest/globals';
import { newId, Refusal } from '@plataforma/kernel';
import {
  createCapturedLog,
  echo,
  newKeyPair,
  send,
  serving,
  trusting,
  worldOfFile,
} from '@plataforma/testing/fixtures';
import { createSigner, createVerifier, IDENTITY_HEADER, serve, serveAnonymous } from '../src/index.ts';

const gateway = newKeyPair();
const charges = newKeyPair();
const trusted = trusting({ gateway: gateway.publicKey, charges: charges.publicKey });
const verifier = createVerifier('ledger', trusted);
const signer = createSigner('gateway', gateway.privateKey);
const { log, lines } = createCapturedLog();
const connectionLost = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), {
  code: 'ECONNREFUSED',
});

const server = worldOfFile(() =>
  serving(
    (app) => {
      serve(app, echo, { verifier, answer: async ({ body }) => ({ data: { amount: body.amount } }) });
      const open = {
        ...echo,
        path: '/v1/open',
        method: 'get',
        params: echo.query,
        body: echo.query,
        openToBrowsers: true,
      } as const;
      serveAnonymous(app, open, { verifier, answer: async () => ({ data: { amount: 1 } }) });
      app.get('/refused', () => {
        throw new Refusal('limited', 'RATE_LIMITED', 'slow down');
      });
      app.get('/bug', () => {
        throw new TypeError('cannot read secretColumn of row 4711');
      });
      app.get('/database', () => Promise.reject(connectionLost));
      app.get('/halfway', (_req, res) => {
        res.write('{"half":');
        throw new Error('too late');
      });
    },
    { log },
  ),
);

const merchant = { kind: 'merchant', merchantId: newId(), environment: 'sandbox' } as const;
const readsWallet = signer.sign({ ...merchant, scopes: ['wallet:read'] }, 'ledger');

async function post(body: string | Buffer, headers: Record<string, string> = {}, path = '/v1/echo/1') {
  const usual = { 'content-type': 'application/json', [IDENTITY_HEADER]: readsWallet };
  const { status, text } = await send(`${server.url}${path}`, {
    method: 'POST',
    headers: { ...usual, 'content-length': String(Buffer.byteLength(body)), ...headers },
    body,
  });
  return { status, answer: JSON.parse(text) };
}

async function get(path: string, headers: Record<string, string> = {}) {
  const { status, headers: received, text } = await send(`${server.url}${path}`, { headers });
  return { status, headers: received, answer: JSON.parse(text) };
}

const failure = (code: string, message: string) => ({ success: false, error: { code, message } });

describe('an endpoint', () => {
  test('answers in the envelope of success, with its status', async () => {
    const { status, answer } = await post('{"amount":250,"unknown":true}', {}, '/v1/echo/1?limit=100');

    expect(status).toBe(201);
    expect(answer).toEqual({ success: true, data: { amount: 250 } });
  });

  test.each(['utf8', 'UTF8', '"utf8"', 'utf-8', 'UTF-8'])(
    'reads a body in the charset %s',
    async (charset) => {
      const type = { 'content-type': `application/json; charset=${charset}` };

      expect(await post('{"amount":250}', type)).toMatchObject({ status: 201, answer: { success: true } });
    },
  );

  test.each<[string, string | Buffer, Record<string, string>, number, string, string]>([
    ['that is not JSON', '{"amount":', {}, 400, 'VALIDATION_ERROR', 'body: is not valid JSON'],
    ['that is empty', '', {}, 400, 'VALIDATION_ERROR', 'amount: is required'],
    ['that is a single value', '12', {}, 400, 'VALIDATION_ERROR', 'body: is not valid JSON'],
    [
      'that is not UTF-8',
      Buffer.from('{"amount":100,"note":"\xe9"}', 'latin1'),
      {},
      400,
      'VALIDATION_ERROR',
      'body: must be UTF-8',
    ],
    ['that is an array', '[]', {}, 400, 'VALIDATION_ERROR', 'body: must be an object'],
    ['with a field too small', '{"amount":99}', {}, 400, 'VALIDATION_ERROR', 'amount: must be at least 100'],
    ['with a fraction', '{"amount":100.5}', {}, 400, 'VALIDATION_ERROR', 'amount: must be an integer'],
    ['with text for a number', '{"amount":"100"}', {}, 400, 'VALIDATION_ERROR', 'amount: must be a number'],
    [
      'of another content type',
      'amount=100',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'body: must be application/json',
    ],
    [
      'in another charset',
      '{"amount":100}',
      { 'content-type': 'application/json; charset=latin1' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'body: must be UTF-8; send Content-Type: application/json',
    ],
    [
      'in a charset with a name similar to UTF-8',
      '{"amount":100}',
      { 'content-type': 'application/json; charset="utf-7"' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'body: must be UTF-8; send Content-Type: application/json',
    ],
    [
      'with a false Content-Encoding',
      '{"amount":100}',
      { 'content-encoding': 'gzip' },
      400,
      'VALIDATION_ERROR',
      'body: can’t be read',
    ],
    [
      'larger than 100 KiB',
      JSON.stringify({ amount: 100, name: 'x'.repeat(100 * 1024) }),
      {},
      413,
      'PAYLOAD_TOO_LARGE',
      'body: must be at most 100 KiB',
    ],
  ])('refuses a body %s', async (_what, body, headers, status, code, message) => {
    const refused = await post(body, headers);

    expect(refused).toEqual({ status, answer: failure(code, message) });
  });

  test('refuses an unknown query parameter', async () => {
    const refused = await post('{"amount":100}', {}, '/v1/echo/1?limi=3');

    expect(refused).toEqual({
      status: 400,
      answer: failure('VALIDATION_ERROR', 'limi: is not a known parameter'),
    });
  });

  test('is 404 at a path with a malformed id', async () => {
    const refused = await post('{"amount":100}', {}, '/v1/echo/one');

    expect(refused).toEqual({ status: 404, answer: failure('NOT_FOUND', 'there is nothing with this id') });
  });

  test.each([
    ['no identity', {}],
    [
      'an identity for another service',
      { [IDENTITY_HEADER]: signer.sign({ ...merchant, scopes: [] }, 'charges') },
    ],
    ['an anonymous identity', { [IDENTITY_HEADER]: signer.sign({ kind: 'anonymous' }, 'ledger') }],
    [
      'a merchant’s identity that another service signed',
      {
        [IDENTITY_HEADER]: createSigner('charges', charges.privateKey).sign(
          { ...merchant, scopes: ['wallet:read'] },
          'ledger',
        ),
      },
    ],
  ])('refuses a call with %s', async (_what, headers) => {
    const { status, answer } = await post('{"amount":100}', { [IDENTITY_HEADER]: '', ...headers });

    expect({ status, code: answer.error.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' });
  });

  test('refuses a merchant without its scope and names the scope', async () => {
    const identity = signer.sign({ ...merchant, scopes: ['charges:write'] }, 'ledger');

    const refused = await post('{"amount":100}', { [IDENTITY_HEADER]: identity });

    expect(refused).toEqual({
      status: 403,
      answer: failure('INSUFFICIENT_SCOPE', 'the API key lacks the scope wallet:read'),
    });
  });

  test('that is public is reachable through the gateway only', async () => {
    const direct = await get('/v1/open');
    const routed = await get('/v1/open', { [IDENTITY_HEADER]: signer.sign({ kind: 'anonymous' }, 'ledger') });

    expect([direct.status, direct.answer.error.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(routed.answer).toEqual({ success: true, data: { amount: 1 } });
    expect(routed.headers['access-control-allow-origin']).toBe('*');
  });
});

describe('a failure', () => {
  test('at an unknown path is 404', async () => {
    expect(await get('/v1/nothing')).toMatchObject({
      status: 404,
      answer: failure('NOT_FOUND', 'there is nothing at this path'),
    });
  });

  test('in the path itself is 400', async () => {
    expect(await post('{"amount":100}', {}, '/v1/echo/%zz')).toEqual({
      status: 400,
      answer: failure('VALIDATION_ERROR', 'path: is malformed'),
    });
  });

  test('that is temporary has a Retry-After', async () => {
    const limited = await get('/refused');
    const away = await get('/database');

    expect([limited.status, limited.headers['retry-after']]).toEqual([429, '2']);
    expect([away.status, away.headers['retry-after']]).toEqual([503, '2']);
    expect(away.answer).toEqual(failure('SERVICE_UNAVAILABLE', 'try again shortly'));
  });

  test('from a defect is 500 without internal details, and logged', async () => {
    const { status, headers, answer } = await get('/bug');

    expect(status).toBe(500);
    expect(answer).toEqual(
      failure('INTERNAL_ERROR', 'something went wrong on our side; quote the X-Request-Id'),
    );
    expect(JSON.stringify({ headers, answer })).not.toContain('secretColumn');
    const logged = lines.find((line) => line.includes('secretColumn'));
    expect(JSON.parse(logged ?? '{}')).toMatchObject({ level: 'error', requestId: headers['x-request-id'] });
  });

  test('after the answer started cuts the connection', async () => {
    await expect(get('/halfway')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
