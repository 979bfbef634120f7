import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import {
  barriersInModes,
  DISPLAY_MODES,
  sideScrollOf,
  startBrowser,
  type Visit,
  visit,
} from '../../src/browser/index.ts';
import { eventually, type Loopback, startLoopback } from '../../src/index.ts';

const SCRIPTS: Record<string, string> = {
  '/stranger': `fetch('http://tracker.example/pixel').catch(() => undefined)`,
  '/neighbour': `fetch('http://loja.localhost:' + location.port + '/pixel')
    .catch(() => { document.title = 'alone' })`,
  '/console': `console.error('broken')`,
  '/thrown': `setTimeout(() => { throw new Error('lost') })`,
  '/closed': `addEventListener('pagehide', () => console.error('closed'))`,
  '/refused': `fetch('/declined')`,
  '/zone': `document.title = String(new Date(Date.UTC(2026, 0, 5, 12)).getHours())`,
};
const BODIES: Record<string, string> = {
  '/pale': '<p style="color:#ccc;background:#fff">R$ 25,00</p>',
  '/wide': '<p class="row" style="width:700px">R$ 25,00</p>',
};

const requested = new Set<string>();
let browser: Browser;
let site: Loopback;

beforeAll(async () => {
  [browser, site] = await Promise.all([startBrowser(), startLoopback(serve)]);
});

afterAll(() => Promise.all([browser?.close(), site?.stop()]));

const serve: Parameters<typeof startLoopback>[0] = async ({ url = '/' }, response) => {
  requested.add(url);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  if (url === '/policy') response.setHeader('content-security-policy', "default-src 'none'");
  response.statusCode = url === '/declined' ? 402 : 200;
  const script = SCRIPTS[url] ?? (url === '/policy' ? '0' : undefined);
  response.end(`<!doctype html><html lang="pt-BR"><head><title>Loja</title><link rel="icon" href="data:,">
    <meta name="viewport" content="width=device-width"></head><body>
    <main><h1>Loja</h1>${BODIES[url] ?? ''}</main>
    ${script ? `<script>${script}</script>` : ''}</body></html>`);
};

async function seeing(path: string, see: (opened: Visit) => Promise<void>, options = {}) {
  const opened = await visit(browser, { origin: site.url, ...options });
  await opened.page.goto(path);
  await see(opened);
  await opened.close();
}

test.each([
  ['/stranger', /^request to another site: http:\/\/tracker\.example\/pixel$/],
  ['/console', /^console: broken/],
  ['/thrown', /^thrown: lost$/],
  ['/policy', /^policy: script-src-elem inline/],
  ['/refused', /^console: Failed to load resource.*402/],
])('a mistake of the page %s is reported as a fault', async (path, fault) => {
  await seeing(path, async ({ faults }) => {
    await eventually(() => expect(faults()).toContainEqual(expect.stringMatching(fault)));
  });
});

test('a request to another origin is blocked and reported', async () => {
  await seeing('/neighbour', async ({ page, faults }) => {
    await eventually(async () => expect(await page.title()).toBe('alone'));
    expect(faults()).toContainEqual(
      expect.stringMatching(/^request to another site: http:\/\/loja\.localhost/),
    );
    expect([requested.has('/neighbour'), requested.has('/pixel')]).toEqual([true, false]);
  });
});

test('a correct page has no fault, barrier or side scroll', async () => {
  await seeing('/', async ({ page, faults }) => {
    expect(await barriersInModes(page)).toEqual([]);
    expect(await sideScrollOf(page, [320, 1280])).toEqual([]);
    expect(faults()).toEqual([]);
  });
});

test('an expected refusal is no fault', async () => {
  await seeing(
    '/refused',
    async ({ page, faults }) => {
      await page.waitForLoadState('networkidle');
      expect(faults()).toEqual([]);
    },
    { refusals: [402] },
  );
});

test('leaving a visit fails on its earlier faults only', async () => {
  const first = await visit(browser, { origin: site.url });
  await first.page.goto('/console');
  await eventually(() => expect(first.faults()).toHaveLength(1));
  const other = await visit(browser, { origin: site.url });
  await other.page.goto('/closed');

  await expect(first.leave()).rejects.toThrow('console: broken');
  await other.leave();
});

test('low contrast is a barrier in every display mode', async () => {
  await seeing('/pale', async ({ page }) => {
    const barriers = await barriersInModes(page, DISPLAY_MODES);

    expect(barriers.map((barrier) => barrier.split(' ')[0])).toEqual([
      '1280:',
      '1280-dark:',
      '390:',
      '390-dark:',
    ]);
    expect(barriers[0]).toContain('color-contrast');
  });
});

test('an element wider than a narrow page is named', async () => {
  await seeing('/wide', async ({ page }) => {
    expect(await sideScrollOf(page, [320])).toEqual([expect.stringContaining('p.row')]);
  });
});

test.each([
  ['UTC', '12'],
  ['America/Sao_Paulo', '9'],
  ['Asia/Tokyo', '21'],
])('a browser in %s shows the local time', async (timeZone, hour) => {
  await seeing('/zone', async ({ page }) => expect(await page.title()).toBe(hour), { timeZone });
});
