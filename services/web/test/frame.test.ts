import { beforeAll, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);
let cookie: string;

beforeAll(async () => {
  cookie = await world.logIn();
});

const open = (path: string, own?: string, language = 'pt-BR') =>
  world.call(path, { cookie: own, headers: { 'accept-language': language } });

test('only a session gets the page frame in the document', async () => {
  const framed = await open('/test/charges', cookie, 'en');
  const plain = await open('/test/charges');
  const forged = await open('/test/charges', 'session=test.AAAA');

  expect(framed.text).toMatch(
    /<html lang="en">[\s\S]*data-environment="sandbox"[\s\S]*<h1[^>]*>Charges<\/h1>/,
  );
  expect(plain.text).toContain('<div id="root"></div>');
  expect(forged.text).toBe(plain.text);
  expect(framed.headers.get('vary')).toContain('Cookie');
  expect(framed.headers.get('content-security-policy')).toBe(plain.headers.get('content-security-policy'));
});

test('the frame marks its section and its environment', async () => {
  const { text } = await open('/charges/01a2', cookie);

  expect(text).toMatch(/href="\/charges"[^>]* aria-current="page"/);
  expect(text).not.toMatch(/href="\/"[^>]* aria-current="page"|<h1/);
  expect(text).toContain('data-environment="production"');
});

test.each(['/login', '/register', '/test/register'])('%s has no frame', async (path) => {
  expect((await open(path, cookie)).text).not.toContain('data-environment');
});

test('the frame uses existing styles and no path text', async () => {
  const { text } = await open('/test/%3Cscript%3E"', cookie);

  const [, sheet = ''] = /<link rel="stylesheet"[^>]* href="([^"]+)">/.exec(text) ?? [];
  const styles = (await world.call(sheet)).text;
  const used = [...text.matchAll(/ class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' '));
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((name) => !styles.includes(`.${name}`))).toEqual([]);
  expect(text).not.toMatch(/ style="|%3C|script>"/);
});

test('the document preloads the page’s files, which exist', async () => {
  const { text } = await open('/test/charges', cookie);

  const files = [...text.matchAll(/<link rel="(?:modulepreload|preload)"[^>]* href="([^"]+)">/g)];
  const answers = await Promise.all(files.map(([, path = '']) => world.call(path)));
  expect(text).toMatch(/href="\/assets\/charges-[^"]+\.js"/);
  expect(answers.map(({ status }) => status)).toEqual(files.map(() => 200));
});
