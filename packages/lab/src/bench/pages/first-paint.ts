import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '@plataforma/local';
import { startBrowser } from '@plataforma/testing/browser';
import type { Browser, BrowserContext } from 'playwright-core';
import { z } from 'zod';
import { atMost, type Figures, type Row, score, seconds } from '../figures.ts';
import { quantile } from '../measure.ts';
import type { Workbench } from '../run.ts';
import { logInAs, newPerson, slowDown } from './browser.ts';
import { shopOf } from './shop.ts';

const ROUNDS = 7;
const SECOND = 1_000;
/**
 * A fixed wait for late layout shifts. The page's open stream keeps the network busy, so the benchmark can't
 * wait until the network is idle.
 */
const STABLE_MS = 2_000;
const measurement = z.object({ paintMs: z.number(), shift: z.number() });
type Measurement = z.infer<typeof measurement>;

const WATCH_SHIFTS = `globalThis.layoutShift = 0;
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) if (!each.hadRecentInput) globalThis.layoutShift += each.value;
}).observe({ type: 'layout-shift', buffered: true });`;
const READ = `({
  paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  shift: globalThis.layoutShift,
})`;

interface MeasuredPage {
  what: string;
  path: string;
  /** A CSS selector that matches as soon as the page shows all of its data. */
  whole: string;
  aim: number;
  /** True if the browser context has a session. */
  isLoggedIn?: boolean;
  /** True if the browser context has loaded the page before. */
  isWarm?: boolean;
  width?: number;
}

/**
 * Measures pages over slow 4G on a processor with a quarter of the speed. Each round uses a new browser
 * context, whose cache is empty unless the page is measured warm.
 */
export async function firstPaint({ platform, defer }: Workbench<Platform>): Promise<Figures> {
  const { facts } = await platform();
  const shop = shopOf(facts);
  const browser = await startBrowser();
  defer(() => browser.close());
  const open = (width = 1280) => newPerson(browser, shop.webUrl, width);
  const logIn = (context: BrowserContext) => logInAs(context, facts.demo);
  const [home, checkout] = ['#content:not(:has([role=status])):has(figure) h1', 'main [role=status]'];
  const pages: MeasuredPage[] = [
    {
      ...{ what: 'checkout', path: `/pay/${await shop.newCharge()}` },
      ...{ whole: checkout, aim: 1, width: 390 },
    },
    { what: 'log-in, cold', path: '/test/login', whole: 'input[name=password]', aim: 1 },
    { what: 'dashboard, cold', path: '/test', whole: home, aim: 2.5, isLoggedIn: true },
    { what: 'dashboard, warm', path: '/test', whole: home, aim: 1.5, isLoggedIn: true, isWarm: true },
  ];
  const rows: Row[] = [];
  for (const measured of pages) rows.push(...rowsOf(measured, await roundsOf(measured, { open, logIn })));
  return {
    about:
      'First contentful paint over 1.6 Mbit/s and 150 ms on a processor slowed down four times: the ' +
      `median of ${ROUNDS} rounds and the slowest. The layout shift is the sum until the page is complete.`,
    rows,
  };
}

interface BrowserActions {
  open(width?: number): ReturnType<Browser['newContext']>;
  logIn(context: BrowserContext): Promise<void>;
}

async function roundsOf(measured: MeasuredPage, { open, logIn }: BrowserActions): Promise<Measurement[]> {
  const all: Measurement[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = await open(measured.width);
    if (measured.isLoggedIn) await logIn(first);
    const context = measured.isWarm ? first : await open(measured.width);
    if (context !== first) await context.addCookies(await first.cookies());
    if (measured.isWarm) await measurePage(context, measured);
    all.push(await measurePage(context, { ...measured, isSlow: true }));
    await Promise.all([...new Set([first, context])].map((each) => each.close()));
  }
  return all;
}

async function measurePage(
  context: BrowserContext,
  target: MeasuredPage & { isSlow?: boolean },
): Promise<Measurement> {
  const page = await context.newPage();
  await page.addInitScript(WATCH_SHIFTS);
  if (target.isSlow) await slowDown(page);
  await page.goto(target.path, { waitUntil: 'commit' });
  await page.locator(target.whole).first().waitFor();
  await page.waitForLoadState('load');
  await sleep(STABLE_MS);
  const found = measurement.parse(await page.evaluate(READ));
  await page.close();
  return found;
}

function rowsOf({ what, aim }: MeasuredPage, rounds: readonly Measurement[]): Row[] {
  const paints = rounds.map(({ paintMs }) => paintMs);
  const median = seconds(quantile(paints, 0.5) / SECOND);
  const shift = score(Math.max(...rounds.map((each) => each.shift)));
  const slowest = `${(Math.max(...paints) / SECOND).toFixed(1)} s at most`;
  return [
    { what: `${what}: first contentful paint`, value: median, aim: atMost(median, aim), note: slowest },
    { what: `${what}: layout shift`, value: shift, aim: atMost(shift, 0) },
  ];
}
