import { createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ PUBLIC_URL: 'https://painel.loja.example' }));

async function bytesOf(path: string): Promise<Response> {
  return fetch(world.url + path);
}

test('the SDK is downloaded with its checksum', async () => {
  const page = await world.call('/downloads/');
  const [, name = '', sha256 = ''] =
    /href="(plataforma-sdk-[^"]+\.tgz)"[\s\S]*?<code>([0-9a-f]{64})/.exec(
      page.text.replaceAll('<wbr>', ''),
    ) ?? [];

  const tarball = await bytesOf(`/downloads/${name}`);
  const sums = await world.call('/downloads/sha256sums.txt');

  expect(tarball.headers.get('content-type')).toBe('application/gzip');
  expect(
    createHash('sha256')
      .update(Buffer.from(await tarball.arrayBuffer()))
      .digest('hex'),
  ).toBe(sha256);
  expect(sums.text).toContain(`${sha256}  ${name}\n`);
  expect(sums.headers.get('content-type')).toContain('text/plain');
});

test('an unchanged tarball is answered with 304', async () => {
  const [, name] = (await world.call('/downloads/sha256sums.txt')).text.trim().split(/\s+/);
  const { headers } = await bytesOf(`/downloads/${name}`);

  // `fetch` adds `no-cache` to a conditional request, so this test uses `node:http`.
  const again = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
    get(`${world.url}/downloads/${name}`, options, resolve).on('error', reject);
  });
  again.resume();

  expect([headers.get('cache-control'), again.statusCode]).toEqual(['no-cache', 304]);
});

test('the download page gives commands in both languages without script', async () => {
  const english = await world.call('/downloads/', { headers: { 'accept-language': 'en' } });
  const portuguese = await world.call('/downloads/?lang=pt-BR', { headers: { 'accept-language': 'en' } });

  expect(english.text).toContain('<html lang="en">');
  expect(english.text).toContain('curl -fsSO https://painel.loja.example/downloads/plataforma-sdk-');
  expect(english.text).toContain('npm install ./plataforma-sdk-');
  expect(english.text).toContain('npm install -g ./plataforma-cli-');
  // With `&&` between the pasted commands, the shell stops when a checksum is wrong.
  expect(english.text).toMatch(/sdk-\S+\.tgz &amp;&amp;\ncurl .* --ignore-missing &amp;&amp;\nnpm install/);
  expect(portuguese.text).toContain('<html lang="pt-BR">');
  expect(portuguese.text).toContain('conferem o hash SHA-256');
  expect(english.text).not.toContain('<script');
  expect(english.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; font-src 'self'; img-src data:; base-uri 'none'/,
  );
});

test('other files are 404, the folder redirects to its page', async () => {
  for (const name of ['..%2fsources.txt', 'tarballs.txt', 'plataforma-sdk-0.0.0.tgz']) {
    expect((await world.call(`/downloads/${name}`)).status).toBe(404);
  }
  const folder = await world.call('/downloads');
  expect([folder.status, folder.headers.get('location')]).toEqual([308, '/downloads/']);
});
