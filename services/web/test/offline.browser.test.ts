import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { barriersOf, visit as open, startBrowser, type Visit } from '@plataforma/testing/browser';
import { startWorld, type World } from './support/world.ts';

let world: World;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let opened: Visit;

beforeAll(async () => {
  world = await startWorld();
  const account = { id: '01a20f4e-0de5-7de0-a438-00a9d18135c7', status: 'APPROVED' };
  world.gateway.giving('GET /v1/account', { ...account, companyName: 'Loja da Ana', email: 'ana@loja.test' });
  browser = await startBrowser();
});
afterEach(() => opened.close());
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});

async function dashboard() {
  opened = await open(browser, { origin: world.url });
  const [name = '', value = ''] = (await world.logIn()).split('; ')[0]?.split('=') ?? [];
  await opened.context.addCookies([{ name, value, url: world.url }]);
  await opened.page.goto('/test/developers');
  await opened.page.locator('#content').waitFor();
  await opened.page.evaluate('globalThis.isSamePage = true');
  return opened.page;
}

const isSamePage = 'globalThis.isSamePage === true';

test('a page without connection stays, with a bar, and recovers', async () => {
  const page = await dashboard();
  const bar = page.getByText('Sem conexão.');
  await opened.context.setOffline(true);
  await bar.waitFor();
  const barriers = await barriersOf(page);

  await page.locator('aside nav a[href*="/withdrawals"]').click();
  await page.waitForURL('**/withdrawals*');
  await page.getByText('Esta página não abriu').waitFor();
  const stayed = [await page.evaluate(isSamePage), await bar.isVisible()];
  await opened.context.setOffline(false);
  await bar.waitFor({ state: 'detached' });

  expect([stayed, barriers]).toEqual([[true, true], []]);
  expect(await page.evaluate(isSamePage)).toBe(true);
});

test('a page reloads once when a release has removed its file', async () => {
  const page = await dashboard();
  await page.route('**/assets/withdrawals-*.js', (route) => route.fulfill({ status: 404 }));

  const reload = page.waitForEvent('load');

  await page.locator('aside nav a[href*="/withdrawals"]').click();
  await reload;

  expect(await page.evaluate(isSamePage)).toBe(false);
});
