import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { get, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';
import express from 'express';
import { docsRoutes } from '../src/http/docs-routes.ts';
import { startWorld, type World } from './support/world.ts';

const program = fileURLToPath(new URL('../../../packages/docs/src/main.ts', import.meta.url));
const scratchDir = scratchFolders();
let world: World;

beforeAll(async () => {
  [world] = await Promise.all([startWorld(), promisify(execFile)(process.execPath, [program])]);
});
afterAll(() => world?.stop());

/** Reads a response without decompressing it. */
async function read(path: string, headers: Record<string, string> = {}) {
  const [answer] = await once(get(world.gateway.url + path, { headers }), 'response');
  if (!(answer instanceof IncomingMessage)) throw new Error('no answer');
  const bytes = await buffer(answer);
  return { status: answer.statusCode, headers: answer.headers, bytes, text: bytes.toString() };
}

const PAGE = '/docs/pt/reference/charges';

describe('a page of the documentation', () => {
  test('has a content policy that allows only the gateway’s own files', async () => {
    const { status, headers, text } = await read(PAGE);
    const policy = String(headers['content-security-policy']);

    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<h1>Cobranças</h1>');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe|blob:/);
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test('is sent compressed, and with 304 while it is unchanged', async () => {
    const plain = await read(PAGE);
    const brotli = await read(PAGE, { 'accept-encoding': 'gzip, br' });
    const gzip = await read(PAGE, { 'accept-encoding': 'gzip' });
    const again = await read(PAGE, {
      'accept-encoding': 'br',
      'if-modified-since': brotli.headers['last-modified'] ?? '',
    });

    expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
    expect(plain.headers.vary).toContain('Accept-Encoding');
    expect(again.status).toBe(304);
  });

  test('loads only files of the gateway, which are cached forever', async () => {
    const { text } = await read(PAGE);
    const files = [...text.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    const answers = await Promise.all(files.map((path) => read(path)));

    expect(files.length).toBeGreaterThanOrEqual(4);
    expect(answers.map(({ status, headers }) => [status, headers['cache-control']])).toEqual(
      files.map(() => [200, 'public, max-age=31536000, immutable']),
    );
  });
});

test.each([
  ['/docs', {}, '/docs/pt/'],
  ['/docs/', { 'accept-language': 'en-GB,en;q=0.9' }, '/docs/en/'],
  ['/docs', { 'accept-language': 'fr' }, '/docs/pt/'],
  ['/docs', { 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8' }, '/docs/pt/'],
  ['/docs/reference/charges', { 'accept-language': 'en' }, '/docs/en/reference/charges'],
])('%s with %j redirects to %s', async (path, headers, to) => {
  const answer = await read(path, headers);

  expect([answer.status, answer.headers.location]).toEqual([302, to]);
  expect(answer.headers.vary).toContain('Accept-Language');
});

test.each([
  ['/docs/pt/', 'text/html'],
  ['/docs/en/reference/charges.md', 'text/markdown; charset=utf-8'],
  ['/llms.txt', 'text/plain'],
  ['/docs/llms.txt', 'text/plain'],
  ['/llms-full.txt', 'text/plain'],
  ['/docs/search-pt.json', 'application/json'],
])('%s has the type %s', async (path, type) => {
  const { status, headers } = await read(path);

  expect([status, headers['content-type']]).toEqual([200, expect.stringContaining(type)]);
});

test.each([
  '/docs/pt/nothing',
  '/docs/assets/style-00000000.css',
  '/docs/.vite/manifest.json',
  '/docs/../src/main.ts',
  '/docs/..%2f..%2fpackage.json',
  '/docs/pt/reference/charges.html.br/x',
])('no other file is served: %s', async (path) => {
  const { status, text } = await read(path);

  expect(status).toBeGreaterThanOrEqual(400);
  expect(JSON.parse(text)).toMatchObject({ success: false });
});

test('a folder without its slash redirects to it', async () => {
  const answers = await Promise.all(['/docs/en', '/docs/pt'].map((path) => read(path)));

  expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual([
    [302, '/docs/en/'],
    [302, '/docs/pt/'],
  ]);
});

test('requests before the site is built get 503', async () => {
  const app = express();
  docsRoutes(app, { folder: scratchDir(), sendFile: async () => undefined });
  app.use((error: Error, _req: express.Request, res: express.Response, _next: unknown) => {
    res.status(503).send(error.message);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  const answer = await fetch(`http://127.0.0.1:${port}/docs/pt/`);

  expect([answer.status, await answer.text()]).toEqual([503, 'the documentation is not built yet']);
  server.close();
});
