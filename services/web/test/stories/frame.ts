import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { barriersInModes, sideScrollOf, type Visit } from '@plataforma/testing/browser';
import { logIn, paidCharge, visitAsDemo, world } from '../support/browser-world.ts';

export function testFrame(): void {
  let visit: Visit;

  beforeAll(async () => {
    await paidCharge();
  });
  afterEach(() => visit.leave());

  /** Code that returns the texts and positions of the frame's links, the heading and the keyboard hints. */
  const POSITIONS = `[...document.querySelectorAll('aside nav a, h1, kbd')].map((each) => {
    const { x, y, height } = each.getBoundingClientRect();
    return [each.textContent, Math.round(x), Math.round(y), Math.round(height)].join(' ');
  })`;
  const IS_STYLED = `[...document.querySelectorAll('link[rel=stylesheet]')].every(({ sheet }) => sheet)`;
  const WATCH_SHIFTS = `globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifts.push(value);
  }).observe({ type: 'layout-shift', buffered: true });`;

  test.each([1280, 390])('appears before any script and nothing moves at %d pixels', async (width) => {
    visit = await world.visit({ width });
    // This log-in uses the real pages, so that the browser has the styles in its cache.
    await logIn(visit, world.demo);
    const { page } = visit;
    await page.addInitScript(WATCH_SHIFTS);
    const loaded = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await loaded.promise;
      await route.continue();
    });

    await page.goto('/test', { waitUntil: 'commit' });
    await page.locator('h1').waitFor();
    // Nothing is painted before the styles are there, but the positions could already be read.
    await eventually(async () => expect(await page.evaluate(IS_STYLED)).toBe(true));
    const before = await page.evaluate(POSITIONS);
    const isReady = await page.locator('#content').isVisible();
    loaded.resolve();
    await page.locator('#content table[aria-label]').waitFor();
    await page.locator('#content figure').first().waitFor();

    expect([await page.evaluate(POSITIONS), isReady]).toEqual([before, false]);
    expect(await page.evaluate('shifts')).toEqual([]);
  });

  test.each([
    ['pt-BR', 'pt', 'Documentação', 'Guia: relógio de teste', '#relogio-de-teste'],
    ['en', 'en', 'Documentation', 'Guide: test clock', '#test-clock'],
  ] as const)('links to the documentation in %s', async (language, folder, docs, clock, anchor) => {
    visit = await visitAsDemo({ language });
    const { page } = visit;
    await page.goto('/test');
    await page.locator('aside > button').press('Enter');
    const fromMenu = await page.locator('aside').getByRole('link', { name: docs }).getAttribute('href');
    await page.goto('/test/developers');
    const fromTabs = await page.locator('main').getByRole('link', { name: docs }).getAttribute('href');
    await page.goto('/test/sandbox');
    const guide = await page.getByRole('link', { name: clock }).getAttribute('href');

    const at = `${world.apiUrl}/docs/${folder}/`;
    expect([fromMenu, fromTabs, guide]).toEqual([at, at, `${at}test-clock-and-faults${anchor}`]);
  });

  test('keeps a chosen theme, from the first paint of the next page on', async () => {
    visit = await visitAsDemo();
    const { page } = visit;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/test');
    const background = () => page.evaluate(`getComputedStyle(document.body).backgroundColor`);
    const before = await background();
    await page.locator('aside > button').press('Enter');
    const theme = page.getByRole('button', { name: /^Tema/ });
    await theme.click();
    await theme.click();
    expect(await theme.textContent()).toBe('Tema: escuro');
    const dark = await background();
    const painted = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await painted.promise;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await page.locator('h1').waitFor();

    const first = await background();
    painted.resolve();
    await page.locator('#content figure').first().waitFor();
    expect([first, await background()]).toEqual([dark, dark]);
    expect(dark).not.toBe(before);
  });

  test('the download page has no barrier and no wrapped command', async () => {
    visit = await world.visit();
    const { page } = visit;
    await page.goto('/downloads/');
    await page.setViewportSize({ width: 390, height: 844 });
    const lines = await page.evaluate(
      `[...document.querySelectorAll('pre code')].map((code) => new Set([...code.getClientRects()].map(({ top }) => Math.round(top))).size)`,
    );

    expect(lines).toEqual([3, 3, 3]);
    await page.evaluate('document.fonts.ready');
    expect(await page.evaluate(`[...document.fonts].map(({ status }) => status)`)).toEqual(['loaded']);
    expect(await barriersInModes(page)).toEqual([]);
    expect(await sideScrollOf(page, [320, 390, 1280])).toEqual([]);
  });
}
