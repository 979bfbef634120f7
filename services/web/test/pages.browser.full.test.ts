import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { barriersInAllLooks, sideScrollOf, type Visit } from '@plataforma/testing/browser';
import { anOrder, type BrowserWorld, logIn, startBrowserWorld } from './support/browser-world.ts';

const WIDTHS = [320, 390, 768, 1280];
const EMPTY_STATES = ['/refunds', '/disputes', '/charges?status=CANCELLED'];
const PAGES = [
  '/',
  '/charges',
  '/charges/new',
  '/balance',
  '/statement',
  '/withdrawals',
  '/withdrawals/new',
  '/destinations',
  '/developers',
  '/developers/keys',
  '/developers/webhooks',
  '/developers/events',
  '/settings',
  ...EMPTY_STATES,
];

let world: BrowserWorld;
let seen: Visit;

beforeAll(async () => {
  world = await startBrowserWorld();
  for (const amount of [2_500, 129_990]) {
    const charge = await world.make('/v1/charges', anOrder({ amount }));
    await world.make(`/v1/charges/${charge.id}/simulate-payment`);
  }
  const key = { pixKey: 'maria@exemplo.com.br', pixKeyType: 'EMAIL' };
  await world.make('/v1/destinations', { type: 'PIX', ...key, label: 'Fornecedor' });
  await world.make('/v1/withdrawals', { amount: 1_000, ...key });
  await world.make('/v1/webhook-config', { url: `${world.webUrl}/nobody` });
  seen = await world.visit();
  await logIn(seen, world.demo);
});

afterAll(async () => {
  await seen?.close();
  await world?.stop();
});

async function open(path: string) {
  const { page } = seen;
  await page.goto(`/test${path === '/' ? '' : path}`);
  await page.locator('#content h1').waitFor();
  await eventually(async () => {
    expect(await page.locator('#content [role=status][aria-label]').count()).toBe(0);
  });
  return page;
}

describe.each(PAGES)('the page at %s', (path) => {
  test('has no barrier in any look, and is read in one direction from 320 pixels on', async () => {
    const page = await open(path);

    expect(await barriersInAllLooks(page)).toEqual([]);
    expect(await sideScrollOf(page, WIDTHS)).toEqual([]);
    expect(seen.faults()).toEqual([]);
  });
});

test('a time reads the same in browsers of three zones', async () => {
  const texts: string[] = [];
  for (const timeZone of ['UTC', 'America/Sao_Paulo', 'Asia/Tokyo']) {
    const there = await world.visit({ timeZone });
    await logIn(there, world.demo);
    await there.page.goto('/test/statement');
    await there.page.locator('main tbody tr').first().waitFor();
    texts.push((await there.page.locator('main tbody').textContent()) ?? '');
    expect(there.faults()).toEqual([]);
    await there.close();
  }

  expect(new Set(texts).size).toBe(1);
});
