import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ConnectionError, Plataforma, type RequestReport } from '../src/index.ts';
import { VERSION } from '../src/version.ts';
import { done, refused, sdkAnsweredBy, unreachable } from './support/fake-api.ts';

const ID = '0193a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b';

describe('the SDK', () => {
  test('sends its version and the merchant’s key', async () => {
    const { plataforma, sent } = sdkAnsweredBy([done({ available: 1 })]);

    expect(await plataforma.wallet.balance({ at: '2026-11-21T12:00:00Z' })).toEqual({ available: 1 });

    expect(sent[0]?.url).toBe('https://api.example/v1/balance?at=2026-11-21T12%3A00%3A00Z');
    expect(sent[0]?.headers.get('x-api-key')).toBe('key-of-test');
    expect(sent[0]?.headers.get('x-plataforma-client')).toBe(`sdk-js/${VERSION}`);
    const manifest = JSON.parse(readFileSync(`${process.cwd()}/packages/sdk/package.json`, 'utf8'));
    expect(VERSION).toBe(manifest.version);
  });

  test('does not print its key', () => {
    const { plataforma } = sdkAnsweredBy([]);

    expect(JSON.stringify(plataforma) + Object.values(plataforma)).not.toContain('key-of-test');
  });

  test('requires a key and an address', () => {
    expect(() => new Plataforma({ apiKey: '', baseUrl: 'https://api.example' })).toThrow('apiKey is missing');
    expect(() => new Plataforma({ apiKey: 'key', baseUrl: '' })).toThrow('baseUrl is missing');
  });

  test('reports every attempt and ignores a failing report', async () => {
    const reports: RequestReport[] = [];
    const headers = {
      'x-request-id': 'r-1',
      'x-sandbox-warning': 'payerDocument: wrong',
      'retry-after': '0',
    };
    const onRequest = (report: RequestReport) => {
      reports.push(report);
      throw new Error('the disk is full');
    };
    const answers = [unreachable, refused(503, 'SERVICE_UNAVAILABLE', headers), done({ id: ID })];
    const { plataforma } = sdkAnsweredBy(answers, { onRequest });

    await plataforma.charges.get(ID);

    expect(reports.map(({ attempt, status, requestId }) => [attempt, status, requestId])).toEqual([
      [1, null, null],
      [2, 503, 'r-1'],
      [3, 200, null],
    ]);
    expect(reports[1]).toMatchObject({
      ...{ method: 'GET', url: `https://api.example/v1/charges/${ID}` },
      sandboxWarning: 'payerDocument: wrong',
    });
  });

  test('sends a file as a form and retries it', async () => {
    const { plataforma, sent } = sdkAnsweredBy([unreachable, done({ id: ID })]);
    const file = new File(['%PDF-1.7'], 'nota.pdf');

    await plataforma.files.create({ purpose: 'dispute_evidence', disputeId: ID, file });

    expect(sent.map(({ body }) => body instanceof FormData && body.get('file'))).toEqual([file, file]);
    expect(sent[1]?.headers.get('idempotency-key')).toBe(sent[0]?.headers.get('idempotency-key'));
  });
});

describe('a custom fetch function', () => {
  const key = { apiKey: 'key-of-test', baseUrl: 'https://api.example' };
  const answer = (status: string) => Response.json({ success: true, data: { id: ID, status } });

  test('that caches still gives fresh reads', async () => {
    const cached = new Map<string, Response>();
    const statuses = ['PENDING', 'PAID'];
    const fetch: typeof globalThis.fetch = async (url, { cache } = {}) => {
      const found = cached.get(String(url)) ?? answer(statuses.shift() ?? '');
      if (cache !== 'no-store') cached.set(String(url), found);
      return found.clone();
    };
    const plataforma = new Plataforma({ ...key, fetch });

    const read = [await plataforma.charges.get(ID), await plataforma.charges.get(ID)];

    expect(read.map(({ status }) => status)).toEqual(['PENDING', 'PAID']);
  });

  test.each([
    ["The 'cache' field on 'RequestInitializerDict' is not implemented.", 'at once'],
    ['The cache field on RequestInitializerDict is not implemented', 'late'],
    ['Unsupported cache mode: no-store', 'late'],
  ])('without the cache option (%s, %s) gets each call once', async (message, when) => {
    const sent: (RequestInit | undefined)[] = [];
    const reports: RequestReport[] = [];
    const refusing = (init: RequestInit = {}) => {
      if ('cache' in init) throw new TypeError(message);
      sent.push(init);
      return answer('PENDING');
    };
    const fetch: typeof globalThis.fetch = (_url, init) =>
      when === 'at once' ? Promise.resolve(refusing(init)) : Promise.resolve().then(() => refusing(init));
    const onRequest = (report: RequestReport) => reports.push(report);

    await new Plataforma({ ...key, fetch, maxRetries: 0 }).charges.get(ID);
    const reported = new Plataforma({ ...key, fetch, maxRetries: 0, onRequest });
    await reported.charges.refund(ID, { amount: 100 });
    await reported.charges.get(ID);

    expect(sent.map((init) => init?.method)).toEqual(['GET', 'POST', 'GET']);
    expect(reports.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('that fails otherwise gets the call once', async () => {
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      throw new TypeError('the cache of the proxy is down');
    };

    const call = new Plataforma({ ...key, fetch, maxRetries: 0 }).charges.get(ID);

    await expect(call).rejects.toThrow(ConnectionError);
    expect(calls).toBe(1);
  });
});

describe('a list', () => {
  const meta = { total: 3, page: 1, limit: 2, pages: 2 };
  const pages = [done(['a', 'b'], { ...meta, next: 'x' }), done(['c'], { ...meta, page: 2 })];

  test('returns all rows, page by page from a cursor', async () => {
    const { plataforma, sent } = sdkAnsweredBy(pages);

    const rows: unknown[] = [];
    for await (const row of plataforma.charges.list({ status: 'PAID' })) rows.push(row);

    expect(rows).toEqual(['a', 'b', 'c']);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=100&status=PAID',
      '?limit=100&status=PAID&after=x',
    ]);
  });

  test('returns one page with its meta, without loading others', async () => {
    const { plataforma, sent } = sdkAnsweredBy(pages);
    const list = plataforma.charges.list({ limit: 2 });
    expect(sent).toHaveLength(0);

    expect(await list.page(2)).toEqual({ data: ['a', 'b'], meta: { ...meta, next: 'x' } });
    expect(new URL(sent[0]?.url ?? '').search).toBe('?limit=2&page=2');
    for await (const _row of sdkAnsweredBy(pages).plataforma.charges.list()) break;
  });
});

describe('a file', () => {
  const csv = (text: string) => () =>
    new Response(text, { headers: { 'content-type': 'text/csv; charset=utf-8' } });

  test('is read as text, bytes or the response', async () => {
    const { plataforma, sent } = sdkAnsweredBy([csv('id\r\né\r\n')]);
    const file = plataforma.wallet.statementCsv({ locale: 'pt-BR' });
    expect(sent).toHaveLength(0);

    expect(await file.text()).toBe('id\r\né\r\n');
    expect(await file.bytes()).toEqual(new TextEncoder().encode('id\r\né\r\n'));
    expect(await (await file.response()).text()).toBe('id\r\né\r\n');
    expect(sent[0]?.headers.get('accept')).toBe('text/csv');
    expect(new URL(sent[0]?.url ?? '').search).toBe('?locale=pt-BR');
  });

  test('is read again after a cut, not after a refusal', async () => {
    const broken = () => {
      const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) });
      return new Response(body, { headers: { 'content-type': 'text/csv' } });
    };
    const { plataforma, sent } = sdkAnsweredBy([broken, csv('id\r\n'), refused(404, 'NOT_FOUND')]);

    expect(await plataforma.charges.listCsv().text()).toBe('id\r\n');
    expect(sent).toHaveLength(2);
    await expect(plataforma.charges.listCsv().text()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
