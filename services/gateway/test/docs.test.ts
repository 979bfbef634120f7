import { once } from 'node:events';
import { get, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWorld, type World } from './support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** What is sent, as it is: nothing is unpacked. */
async function read(path: string, headers: Record<string, string> = {}) {
  const [answer] = await once(get(world.gateway.url + path, { headers }), 'response');
  if (!(answer instanceof IncomingMessage)) throw new Error('no answer');
  const bytes = await buffer(answer);
  return { status: answer.statusCode, headers: answer.headers, bytes, text: bytes.toString() };
}

const addressesIn = (html: string) =>
  [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address);

const filesOf = async () =>
  addressesIn((await read('/docs')).text).filter((address) => address.startsWith('/'));

describe('the reference page', () => {
  test('needs nothing that the gateway does not serve itself', async () => {
    const page = await read('/docs');
    const addresses = addressesIn(page.text);

    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(addresses.filter((address) => !address.startsWith('/docs/'))).toEqual(['data:,']);
    for (const file of await filesOf()) expect((await read(file)).status).toBe(200);
    expect((await read('/openapi.json')).status).toBe(200);
  });

  test('may talk to nobody but the gateway, and runs no script of its own text', async () => {
    const { text, headers } = await read('/docs');
    const policy = String(headers['content-security-policy']);

    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe|blob:/);
    expect(text).not.toMatch(/<script>|<style|style=|\son\w+=/);
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  test('shows our document, and asks nobody whether it is valid', async () => {
    const [start = ''] = (await filesOf()).filter((file) => file.startsWith('/docs/start.'));
    const { text } = await read(start);

    expect(text).toContain("url: '/openapi.json'");
    expect(text).toContain('validatorUrl: null');
    expect(text).not.toMatch(/https?:\/\//);
  });

  test('keeps its files under the name of their content, for good', async () => {
    const files = await filesOf();

    expect(files.map((file) => file.replace(/[0-9a-f]{16}/, '#'))).toEqual([
      '/docs/swagger-ui.#.css',
      '/docs/swagger-ui.#.js',
      '/docs/start.#.js',
    ]);
    for (const file of files) {
      const plain = await read(file);
      const packed = await read(file, { 'accept-encoding': 'gzip, br' });
      expect(plain.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': expect.stringMatching(/^text\/(css|javascript); charset=utf-8$/),
        vary: 'Accept-Encoding',
      });
      expect(packed.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    }
  });

  test.each([
    '/docs/swagger-ui.0000000000000000.js',
    '/docs/package.json',
    '/docs/x/y',
    '/docs/..%2fmain.ts',
  ])('serves no other file: %s', async (path) => {
    const { status, text } = await read(path);

    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.parse(text)).toMatchObject({ success: false });
  });
});
