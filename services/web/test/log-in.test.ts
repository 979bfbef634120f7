import { expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { foreignPaths } from './support/foreign-paths.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

const open = (path: string, language = 'pt-BR') =>
  world.call(path, { headers: { 'accept-language': language } });
const nextIn = (html: string) => /name="next" value="([^"]*)"/.exec(html)?.[1];

test('the log-in page is a form in the reader’s language', async () => {
  const portuguese = await open('/login');
  const english = await open('/test/login', 'en');

  expect(portuguese.text).toMatch(/<html lang="pt-BR">[\s\S]*<title>Entre na sua conta<\/title>/);
  expect(portuguese.text).toMatch(/<form id="log-in"[^>]* action="\/api\/session" method="post">/);
  expect(portuguese.text).toMatch(/<input id="password" name="password"[^>]* type="password"/);
  expect(english.text).toMatch(/<html lang="en">[\s\S]*<title>Log in to your account<\/title>/);
  expect(english.text).toContain('href="/test/register"');
  expect(english.headers.get('vary')).toContain('Accept-Language');
});

test('the log-in page uses the dashboard’s policy and styles', async () => {
  const { text, headers } = await open('/login');

  expect(headers.get('content-security-policy')).toBe(
    (await open('/')).headers.get('content-security-policy'),
  );
  expect(text).not.toMatch(/ style="|<style/);
  const sheets = [...text.matchAll(/<link rel="stylesheet"[^>]* href="([^"]+)">/g)].map(
    ([, path = '']) => path,
  );
  const styles = (await Promise.all(sheets.map((path) => world.call(path))))
    .map(({ text: css }) => css)
    .join('');
  const used = [...text.matchAll(/ class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' '));
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((name) => !styles.includes(`.${name}`))).toEqual([]);
});

test.each([
  ['/login', '/'],
  ['/test/login', '/test'],
  ['/login?next=/charges%3Fstatus=PAID', '/charges?status=PAID'],
  ['/test/login?next=/charges', '/test/charges'],
  ['/login?next=%22%3E%3Cscript%3E', '/'],
  ['/login?next=/%22%3E%3Cscript%3E', '/%22%3E%3Cscript%3E'],
  ['/login?next=/a&next=/b', '/'],
])('the log-in at %s leads to %s', async (path, next) => {
  expect(
    nextIn((await open(path)).text)
      ?.replaceAll('>', '&gt;')
      .replaceAll('<', '&lt;'),
  ).toBe(next);
});

test.each(foreignPaths)('a link with next=%j leads to %s of this site', async (next, path) => {
  const query = new URLSearchParams({ next });
  const inTest = path === '/' ? '/test' : `/test${path}`;

  expect(nextIn((await open(`/login?${query}`)).text)).toBe(path);
  expect(nextIn((await open(`/test/login?${query}`)).text)).toBe(inTest);
});

test('a refused log-in shows the text of its code', async () => {
  expect((await open('/login?refused=INVALID_CREDENTIALS')).text).toContain('E-mail ou senha não conferem.');
  expect((await open('/login?refused=%3Cb%3E')).text).not.toContain('<b>');
  for (const inherited of ['constructor', '__proto__', 'toString']) {
    expect((await open(`/login?refused=${inherited}`)).text).toContain('Não deu certo. Tente de novo.');
  }
});

test('an empty or rate-limited form returns with its error code', async () => {
  const send = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ next: '/', ...fields });
    const headers = { 'sec-fetch-site': 'same-origin' };
    return (await world.call('/api/session', { method: 'POST', headers, body })).headers.get('location');
  };
  world.gateway.refusing('POST /v1/auth/login', 429, 'RATE_LIMITED');

  expect(await send({ email: 'ana@loja.test', password: 'right' })).toBe(
    '/login?refused=RATE_LIMITED&next=%2F',
  );
  expect(await send({})).toBe('/login?refused=VALIDATION_ERROR&next=%2F');
});
