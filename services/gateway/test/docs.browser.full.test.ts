import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { barriersInModes, sideScrollOf, startBrowser, type Visit, visit } from '@plataforma/testing/browser';
import { startWorld, type World } from './support/world.ts';

const program = fileURLToPath(new URL('../../../packages/docs/src/main.ts', import.meta.url));
let world: World;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let opened: Visit;

beforeAll(async () => {
  [world, browser] = await Promise.all([
    startWorld(),
    startBrowser(),
    promisify(execFile)(process.execPath, [program]),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await world?.stop();
});
beforeEach(async () => {
  opened = await visit(browser, { origin: world.gateway.url });
});
afterEach(() => opened.leave());

/** One page of each kind. */
const PAGES = ['', 'reference/conventions', 'reference/charges', 'reference/events', 'reference/errors'];

describe.each(['pt', 'en'])('documentation in %s', (language) => {
  test.each(PAGES)('is accessible at /%s and scrolls in one direction only', async (page) => {
    await opened.page.goto(`/docs/${language}/${page}`);

    expect(await barriersInModes(opened.page)).toEqual([]);
    expect(await sideScrollOf(opened.page, [320, 390, 1280])).toEqual([]);
  });
});

test('search finds pages and works by keyboard without accessibility barriers', async () => {
  const { page } = opened;
  await page.goto('/docs/pt/');
  await page.keyboard.press('/');
  await page.keyboard.type('xzqwk');
  await page.getByRole('status').getByText('Nada encontrado').waitFor();
  await page.getByRole('combobox').fill('devolucoes');
  await page.getByRole('option').first().waitFor();
  const barriers = await barriersInModes(page);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/pt/reference/refunds*');

  expect(barriers).toEqual([]);
});

test('the language link opens the same section of the same page', async () => {
  const { page } = opened;
  await page.goto('/docs/pt/reference/charges#createCharge');
  await page.getByRole('link', { name: 'English' }).click();
  await page.waitForURL('**/docs/en/reference/charges#createCharge');

  expect(await page.locator('html').getAttribute('lang')).toBe('en');
});

test('one choice of sample language applies everywhere, with this installation’s address', async () => {
  const { page } = opened;
  await page.goto('/docs/en/reference/refunds');
  const samples = page.locator('.code[data-tabs]');
  await samples.first().getByRole('tab', { name: 'SDK' }).click();
  const shown = await samples.last().locator('[data-shown]').textContent();
  await page.goto('/docs/en/reference/charges');

  expect(shown).toContain('plataforma.charges.refund(');
  expect(shown).toContain(`baseUrl: '${world.gateway.url}'`);
  expect(await samples.first().locator('[data-shown]').textContent()).toContain('plataforma.charges.create(');
});

test('code of a guide names and copies this installation’s addresses', async () => {
  const withWeb = await startWorld({ settings: { WEB_URL: 'https://painel.loja.example' } });
  const guide = await visit(browser, { origin: withWeb.gateway.url });
  const { page } = guide;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const codeOf = async (name: string) => {
    const addresses = page.waitForResponse('**/docs/addresses.json');
    await page.goto(`/docs/pt/${name}`);
    await addresses;
    await page.getByText(new URL(withWeb.gateway.url).host).first().waitFor({ state: 'attached' });
    return (await page.locator('code').allTextContents()).join('\n');
  };
  const first = await codeOf('first-charge');
  await page.locator('.code[data-tabs] .copy').nth(0).click();
  const copied = await page.evaluate('navigator.clipboard.readText()');
  await page.goto('/docs/pt/cli');
  await page.getByText('https://painel.loja.example').first().waitFor();
  const other = (await page.locator('code').allTextContents()).join('\n');
  await guide.leave();
  await withWeb.stop();

  expect(first).toContain(`api=${new URL(withWeb.gateway.url).origin}\n`);
  expect(copied).toContain(`api=${new URL(withWeb.gateway.url).origin}\n`);
  expect(first + other).not.toMatch(/localhost:808/);
});

test.each([
  ['pt', 'Página não encontrada'],
  ['en', 'Page not found'],
])('a missing page in %s shows an error page', async (language, title) => {
  const lost = await visit(browser, { origin: world.gateway.url });
  const answer = await lost.page.goto(`/docs/${language}/nothing`);
  const shown = await lost.page.getByRole('heading', { level: 1 }).textContent();
  const barriers = await barriersInModes(lost.page);
  await lost.close();

  expect([answer?.status(), shown]).toEqual([404, title]);
  expect(barriers).toEqual([]);
});

test('a chosen theme persists', async () => {
  const { page } = opened;
  await page.goto('/docs/pt/');
  await page.getByRole('button', { name: 'Tema claro ou escuro' }).click();
  await page.goto('/docs/en/');

  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
});

test('on a phone a button opens the list of pages', async () => {
  const { page } = opened;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/docs/pt/');
  const pages = page.getByRole('navigation', { name: 'Páginas' });
  const isHidden = !(await pages.isVisible());
  await page.getByRole('button', { name: 'Páginas' }).click();
  await pages.getByRole('link', { name: 'Links de pagamento' }).click();
  await page.waitForURL('**/docs/pt/reference/payment-links');

  expect(isHidden).toBe(true);
});

test.each([390, 1280])('at %s px no copy button covers code', async (width) => {
  const { page } = opened;
  await page.setViewportSize({ width, height: 844 });
  await page.goto('/docs/pt/webhooks');
  const codes = await page.locator('.code:has(.copy):not([data-tabs])').all();
  const covered = await Promise.all(
    codes.map(async (code) => {
      const [button, pre] = await Promise.all([
        code.locator('.copy').boundingBox(),
        code.locator('pre').boundingBox(),
      ]);
      return button && pre && button.y + button.height > pre.y && pre.x + pre.width > button.x;
    }),
  );

  expect(covered.length).toBeGreaterThan(1);
  expect(covered).not.toContain(true);
});

test('every sample is visible without JavaScript', async () => {
  const plain = await visit(browser, { origin: world.gateway.url, hasScript: false });
  await plain.page.goto('/docs/pt/reference/refunds');
  const panels = plain.page.locator('.code[data-tabs] .panel');
  const shown = await Promise.all((await panels.all()).map((panel) => panel.isVisible()));
  await plain.leave();

  expect(shown.length).toBeGreaterThan(1);
  expect(shown).not.toContain(false);
});
