import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ PUBLIC_API_URL: 'https://api.loja.example/' }));

const scriptOf = (html: string) => /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';

test('every dashboard page is one document under a strict policy', async () => {
  const { status, text, headers } = await world.call('/test/charges?status=PAID');

  expect(status).toBe(200);
  expect(text).not.toMatch(/<style|<script(?! type="module" crossorigin src=)|onload=/);
  expect(text).toContain('<meta name="api-url" content="https://api.loja.example">');
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
      "connect-src 'self'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'; " +
      "base-uri 'none'; frame-ancestors 'none'; report-uri /api/policy-reports",
  );
});

test('hashed files are cached for a year and served compressed', async () => {
  const path = scriptOf((await world.call('/')).text);

  const packed = await world.call(path, { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } });
  const plain = await world.call(path, { headers: { 'accept-encoding': 'identity' } });

  expect(packed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual([
    'br',
    null,
  ]);
  expect(packed.text).toBe(plain.text);
});

test.each(['/assets/gone-12345678.js', '/robots.txt', '/api/unknown', '/assets/..%2fserver.mjs'])(
  'a missing path is refused as JSON: %s',
  async (path) => {
    const { status, headers } = await world.call(path);

    expect([status >= 400, headers.get('content-type')]).toEqual([true, expect.stringContaining('json')]);
  },
);

test('each page stays below its size limit', async () => {
  const table = await readFile(new URL('../built/sizes.json', import.meta.url), 'utf8');
  const sizes: { what: string; bytes: number; limit: number }[] = JSON.parse(table);

  expect(sizes.length).toBeGreaterThan(1);
  for (const { what, bytes, limit } of sizes) expect([what, bytes <= limit]).toEqual([what, true]);
});
