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
/** A stream stays open, so that a network never falls idle: what comes late has come after this. */
const SETTLED_MS = 2_000;
const seen = z.object({ paintMs: z.number(), shift: z.number() });
type Seen = z.infer<typeof seen>;

const WATCH_SHIFTS = `globalThis.layoutShift = 0;
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) if (!each.hadRecentInput) globalThis.layoutShift += each.value;
}).observe({ type: 'layout-shift', buffered: true });`;
const READ = `({
  paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
  shift: globalThis.layoutShift,
})`;

interface Place {
  what: string;
  path: string;
  /** What is there when the page has all it needs. */
  whole: string;
  aim: number;
  /** The session is there, and the files too when the page was seen before. */
  isLoggedIn?: boolean;
  isWarm?: boolean;
  width?: number;
}

/** Over slow 4G with a processor of a quarter of the speed, each round in a browser without anything kept. */
export async function firstPaint({ platform, defer }: Workbench<Platform>): Promise<Figures> {
  const { facts } = await platform();
  const shop = shopOf(facts);
  const browser = await startBrowser();
  defer(() => browser.close());
  const open = (width = 1280) => newPerson(browser, shop.webUrl, width);
  const logIn = (context: BrowserContext) => logInAs(context, facts.demo);
  const [home, checkout] = ['#content:not(:has([role=status])):has(figure) h1', 'main [role=status]'];
  const places: Place[] = [
    {
      ...{ what: 'checkout', path: `/pay/${await shop.newCharge()}` },
      ...{ whole: checkout, aim: 1, width: 390 },
    },
    { what: 'log-in, cold', path: '/test/login', whole: 'input[name=password]', aim: 1 },
    { what: 'dashboard, cold', path: '/test', whole: home, aim: 2.5, isLoggedIn: true },
    { what: 'dashboard, warm', path: '/test', whole: home, aim: 1.5, isLoggedIn: true, isWarm: true },
  ];
  const rows: Row[] = [];
  for (const place of places) rows.push(...rowsOf(place, await roundsOf(place, { open, logIn })));
  return {
    about: `First contentful paint over 1.6 Mbit/s and 150 ms on a processor slowed down four times, the median of ${ROUNDS} and the slowest; the sum of the layout shifts until the page has all it needs.`,
    rows,
  };
}

interface Means {
  open(width?: number): ReturnType<Browser['newContext']>;
  logIn(context: BrowserContext): Promise<void>;
}

async function roundsOf(place: Place, { open, logIn }: Means): Promise<Seen[]> {
  const all: Seen[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = await open(place.width);
    if (place.isLoggedIn) await logIn(first);
    const context = place.isWarm ? first : await open(place.width);
    if (context !== first) await context.addCookies(await first.cookies());
    if (place.isWarm) await look(context, place);
    all.push(await look(context, { ...place, isSlow: true }));
    await Promise.all([...new Set([first, context])].map((each) => each.close()));
  }
  return all;
}

async function look(context: BrowserContext, place: Place & { isSlow?: boolean }): Promise<Seen> {
  const page = await context.newPage();
  await page.addInitScript(WATCH_SHIFTS);
  if (place.isSlow) await slowDown(page);
  await page.goto(place.path, { waitUntil: 'commit' });
  await page.locator(place.whole).first().waitFor();
  await page.waitForLoadState('load');
  await sleep(SETTLED_MS);
  const found = seen.parse(await page.evaluate(READ));
  await page.close();
  return found;
}

function rowsOf({ what, aim }: Place, rounds: readonly Seen[]): Row[] {
  const paints = rounds.map(({ paintMs }) => paintMs);
  const median = seconds(quantile(paints, 0.5) / SECOND);
  const shift = score(Math.max(...rounds.map((each) => each.shift)));
  const slowest = `${(Math.max(...paints) / SECOND).toFixed(1)} s at most`;
  return [
    { what: `${what}: first contentful paint`, value: median, aim: atMost(median, aim), note: slowest },
    { what: `${what}: layout shift`, value: shift, aim: atMost(shift, 0) },
  ];
}
