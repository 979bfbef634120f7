import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { barriersOf, visit as open, startBrowser, type Visit } from '@plataforma/testing/browser';
import { SLUG, visit as shown, VISIT } from './support/visit.ts';
import { startWorld, type World } from './support/world.ts';

const ID = '01a20f4e-0de5-7de0-a438-00a9d18135c7';
const SLOW = 'Está demorando mais que o normal. Aguarde.';
let world: World;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let opened: Visit | undefined;

beforeAll(async () => {
  world = await startWorld({}, { pageAnswerMs: 500 });
  world.gateway.giving(`GET /v1/checkouts/${VISIT}`, shown);
  browser = await startBrowser();
});
afterEach(async () => {
  await opened?.leave();
  opened = undefined;
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

test.each([
  [`/pay/${ID}`, `GET /v1/charges/${ID}/checkout`],
  [`/pay/l/${SLUG}`, `GET /v1/payment-links/${SLUG}/page`],
  [`/pay/c/${VISIT}`, `GET /v1/checkouts/${VISIT}`],
])('a buyer gets an own page from %s while the gateway hangs', async (path, route) => {
  const release = world.gateway.block(route);

  const { status, headers, text } = await world.call(path);
  release();

  expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  expect(text).toContain('<h1');
});

async function dashboard(path: string) {
  const visit = await open(browser, { origin: world.url });
  opened = visit;
  const [name = '', value = ''] = (await world.logIn()).split('; ')[0]?.split('=') ?? [];
  await visit.context.addCookies([{ name, value, url: world.url }]);
  await visit.page.goto(path);
  return visit.page;
}

test('a page says that its first answer takes long', async () => {
  const answered = Promise.withResolvers<void>();
  const account = { id: ID, status: 'APPROVED', companyName: 'Loja da Ana', timeZone: 'America/Sao_Paulo' };
  world.gateway.answering('GET /v1/account', async () => {
    await answered.promise;
    return world.gateway.given(account);
  });
  const page = await dashboard('/developers');
  await page.getByText(SLOW).waitFor();
  answered.resolve();

  await page.getByRole('heading', { name: 'Desenvolvedores', level: 1 }).waitFor();
  expect(await page.getByText(SLOW).count()).toBe(0);
});

test('a page says that its data takes long, without moving', async () => {
  const answered = Promise.withResolvers<void>();
  world.gateway.answering('GET /v1/webhook-config', async () => {
    await answered.promise;
    return {
      status: 200,
      body: { success: true, data: [], meta: { page: 1, limit: 20, total: 0, pages: 0 } },
    };
  });
  const page = await dashboard('/developers/webhooks');
  const placeholder = page.getByRole('status', { name: 'Carregando' });
  const before = await placeholder.boundingBox();
  await page.getByText(SLOW).waitFor();
  const after = await placeholder.boundingBox();
  const barriers = await barriersOf(page);
  answered.resolve();

  await page.getByRole('heading', { name: 'Nenhum webhook' }).waitFor();
  expect([after, barriers]).toEqual([before, []]);
});
