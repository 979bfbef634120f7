import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Visit } from '@plataforma/testing/browser';
import { anOrder, type BrowserWorld, logIn, startBrowserWorld } from './support/browser-world.ts';

let world: BrowserWorld;
let seen: Visit;

beforeAll(async () => {
  world = await startBrowserWorld();
  await world.make('/v1/webhook-config', { url: `${world.webUrl}/nobody` });
  const charge = await world.make('/v1/charges', anOrder());
  await world.make(`/v1/charges/${charge.id}/simulate-payment`);
});

afterAll(() => world?.stop());

beforeEach(async () => {
  seen = await world.visit();
  await logIn(seen, world.demo);
});

afterEach(async () => {
  const faults = seen.faults();
  await seen.close();
  expect(faults).toEqual([]);
});

test('a list that its filters leave empty offers to clear them once', async () => {
  const { page } = seen;
  await page.goto('/test/charges?status=CANCELLED');
  const clear = page.getByRole('button', { name: 'Limpar filtros' });
  await page.getByRole('heading', { name: 'Nenhuma cobrança com estes filtros' }).waitFor();
  const offers = await clear.count();

  await clear.click();
  await page.locator('main tbody tr').first().waitFor();

  expect([offers, await clear.count()]).toEqual([1, 0]);
});

test.each([390, 1280])('an event is read without moving sideways at %i pixels', async (width) => {
  const { page } = seen;
  await page.setViewportSize({ width, height: 800 });
  await page.goto('/test/developers/events');
  await page.getByRole('button', { name: 'Ver JSON: charge.paid' }).click();
  const dialog = page.getByRole('dialog');
  const table = dialog.locator('table');
  await table.locator('tbody tr').first().waitFor();

  const hidden = await table.evaluate(({ parentElement: around }) =>
    around ? around.scrollWidth - around.clientWidth : 0,
  );
  const code = await dialog.locator('pre').boundingBox();
  const copy = await dialog.getByRole('button', { name: 'Copiar' }).boundingBox();

  expect(hidden).toBe(0);
  expect(copy?.x).toBeGreaterThanOrEqual((code?.x ?? width) + (code?.width ?? width));
});
