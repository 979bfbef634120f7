import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ApiError, ConnectionError, createClient } from '../src/client/index.ts';

const ID = '0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';

/** Returns a client whose requests all get this answer, and a list of its requests. */
function clientAnsweredBy(answer: () => Response) {
  const sent: { url: string; init: RequestInit }[] = [];
  const call = createClient({
    baseUrl: '/api',
    headers: () => ({ 'x-environment': 'sandbox' }),
    fetch: async (url, init = {}) => {
      sent.push({
        url: String(url),
        init: { ...init, headers: Object.fromEntries(new Headers(init.headers)) },
      });
      return answer();
    },
  });
  return { call, sent };
}

const answering =
  (body: unknown, init: ResponseInit = {}) =>
  () =>
    Response.json(body, init);

describe('a call', () => {
  test('sends path, body and headers, and returns the data', async () => {
    const { call, sent } = clientAnsweredBy(answering({ success: true, data: { id: ID } }));

    const created = await call('POST /v1/charges/:id/refund', {
      params: { id: `${ID}/x` },
      body: { amount: 1000 },
      idempotencyKey: 'once',
    });

    expect(created).toEqual({ id: ID });
    expect(sent[0]).toEqual({
      url: `/api/v1/charges/${ID}%2Fx/refund`,
      init: {
        method: 'POST',
        redirect: 'manual',
        cache: 'no-store',
        body: '{"amount":1000}',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'idempotency-key': 'once',
          'x-environment': 'sandbox',
        },
      },
    });
  });

  test('with a file is sent as a multipart form', async () => {
    const { call, sent } = clientAnsweredBy(answering({ success: true, data: { id: ID } }));
    const file = new File(['%PDF-1.7'], 'nota.pdf');

    await call('POST /v1/files', {
      body: { purpose: 'dispute_evidence', disputeId: ID, file },
      idempotencyKey: 'once',
    });

    const { headers, body } = sent[0]?.init ?? {};
    expect(headers).toEqual({
      accept: 'application/json',
      'idempotency-key': 'once',
      'x-environment': 'sandbox',
    });
    expect(body instanceof FormData && [...body]).toEqual([
      ['purpose', 'dispute_evidence'],
      ['disputeId', ID],
      ['file', file],
    ]);
  });

  test('of a list returns a page and omits undefined parameters', async () => {
    const meta = { total: 0, page: 2, limit: 20, pages: 0 };
    const { call, sent } = clientAnsweredBy(answering({ success: true, data: [], meta }));

    const page = await call('GET /v1/charges', { query: { page: 2, status: 'PAID', externalId: undefined } });

    expect(page).toEqual({ data: [], meta });
    expect(sent[0]?.url).toBe('/api/v1/charges?page=2&status=PAID');

    await call('GET /v1/charges', { query: { metadata: { order: 'a b', shop: '7' } } });
    expect(sent[1]?.url).toBe('/api/v1/charges?metadata%5Border%5D=a+b&metadata%5Bshop%5D=7');
  });

  test('that is refused throws code, status, request and retry time', async () => {
    const error = { code: 'TOO_MANY_REQUESTS', message: 'slower' };
    const headers = { 'x-request-id': 'request-1', 'retry-after': '2' };
    const { call } = clientAnsweredBy(answering({ success: false, error }, { status: 429, headers }));

    const refusal = await call('GET /v1/balance').catch((reason) => reason);

    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ ...error, status: 429, requestId: 'request-1', retryAfter: 2 });
  });

  test('with a declined card throws the reason', async () => {
    const error = { code: 'CARD_DECLINED', message: 'the card was declined', reason: 'insufficient_funds' };
    const { call } = clientAnsweredBy(answering({ success: false, error }, { status: 402 }));

    const refusal = await call('GET /v1/balance').catch((reason) => reason);

    expect(refusal).toMatchObject({ ...error, status: 402, retryAfter: null });
  });

  test.each([
    ['nothing answers', () => Promise.reject(new TypeError('fetch failed'))],
    ['a proxy answers with HTML', async () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['the answer has no envelope', async () => Response.json({ ok: true })],
  ])('throws a ConnectionError when %s', async (_when, fetch) => {
    const call = createClient({ baseUrl: '', fetch });

    await expect(call('GET /v1/balance')).rejects.toThrow(ConnectionError);
  });

  test('that is aborted throws the abort reason', async () => {
    const call = createClient({ baseUrl: '', fetch: async () => Promise.reject(new TypeError('aborted')) });
    const signal = AbortSignal.abort(new Error('the page was left'));

    await expect(call('GET /v1/balance', { signal })).rejects.toThrow('the page was left');
  });
});

describe('a redirect', () => {
  const running: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of running.splice(0)) server.close();
  });

  async function answeringAt(listener: Parameters<typeof createServer>[1] & object): Promise<string> {
    const server = createServer(listener);
    running.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address() as AddressInfo;
    return `http://127.0.0.1:${address.port}`;
  }

  test.each([301, 302, 303, 307, 308])(
    'with %i sends neither key nor body to another origin',
    async (status) => {
      const stolen: unknown[] = [];
      const other = await answeringAt((request, response) => {
        stolen.push(request.headers);
        response.end('{"success":true,"data":{}}');
      });
      const baseUrl = await answeringAt((request, response) => {
        response.writeHead(status, { location: other + request.url }).end('{"success":true,"data":{}}');
      });
      const call = createClient({ baseUrl, headers: { 'x-api-key': 'secret' } });

      const error = await call('POST /v1/charges/:id/refund', {
        ...{ params: { id: ID }, body: { amount: 1000 }, idempotencyKey: 'once' },
      }).catch((reason: unknown) => reason);

      expect(stolen).toEqual([]);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({
        idempotencyKey: 'once',
        cause: { message: 'redirects are not followed: name the API itself' },
      });
    },
  );
});
