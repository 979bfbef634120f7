import { expect, test } from '@jest/globals';
import type { Visit } from '@plataforma/testing/browser';
import { world } from '../support/browser-world.ts';

interface DecisionFixture {
  visit: Visit;
  contested(amount: number): Promise<{ id: string; chargeId: string }>;
}

type Page = Visit['page'];

const MENU = { name: 'Simular', exact: true };
const OVER = 'A situação mudou e não permite mais isto.';
const RESOLVE = '**/v1/sandbox/disputes/*/resolve';

/** Chooses an action of the sandbox menu with the keyboard. */
async function play(page: Page, name: string): Promise<void> {
  await page.getByRole('button', MENU).press('Enter');
  await page.getByRole('button', { name, exact: true }).press('Enter');
}

const shows = (page: Page, status: string) =>
  page.locator('header').getByText(status, { exact: true }).waitFor();
const says = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

export function testDecisions({ visit, contested }: DecisionFixture): void {
  test.each([
    ['Decidir a seu favor', 'Ganha', 'Contestação ganha', 'Paga'],
    ['Decidir a favor do pagador', 'Perdida', 'Contestação perdida', 'Devolvida'],
    ['Pagador retira', 'Retirada', 'O pagador retirou a contestação', 'Paga'],
  ])('is ended by “%s”: %s', async (name, status, done, ofCharge) => {
    const { page } = visit;
    const { id, chargeId } = await contested(3_100);
    await page.goto(`/test/disputes/${id}`);

    await play(page, name);

    await says(page, done);
    await shows(page, status);
    await page.getByText('Decisão simulada no sandbox').waitFor();
    expect(await page.getByRole('button', MENU).count()).toBe(0);
    await page.goto(`/test/charges/${chargeId}`);
    await shows(page, ofCharge);
  });

  test('ends once when two windows decide it at once', async () => {
    const { id } = await contested(3_200);
    const windows = [visit.page, await visit.context.newPage()] as const;
    for (const page of windows) await page.goto(`/test/disputes/${id}`);
    const both = Promise.withResolvers<void>();
    let sent = 0;
    await visit.context.route(RESOLVE, async (route) => {
      sent += 1;
      if (sent === windows.length) both.resolve();
      await both.promise;
      await route.fallback();
    });

    await play(windows[0], 'Decidir a seu favor');
    await play(windows[1], 'Decidir a favor do pagador');

    const refused = await Promise.any(windows.map((page) => says(page, OVER).then(() => page)));
    const [status, shown] =
      refused === windows[1] ? ['RESOLVED_MERCHANT', 'Ganha'] : ['RESOLVED_CUSTOMER', 'Perdida'];
    expect((await world.read(`/v1/disputes/${id}`)).status).toBe(status);
    for (const page of windows) await shows(page, shown);
  });

  test('that ended unseen refuses a decision and shows its outcome', async () => {
    const { page } = visit;
    const { id } = await contested(3_300);
    const data = await world.read(`/v1/disputes/${id}`);
    let isBehind = true;
    await page.addInitScript('globalThis.setInterval = () => 0');
    await page.route(`**/api/v1/disputes/${id}`, (route) =>
      isBehind ? route.fulfill({ json: { data } }) : route.fallback(),
    );
    await page.route(RESOLVE, (route) => {
      isBehind = false;
      return route.fallback();
    });
    await page.goto(`/test/disputes/${id}`);
    await page.getByRole('button', MENU).waitFor();
    await world.make(`/v1/sandbox/disputes/${id}/resolve`, { outcome: 'CUSTOMER', resolution: 'Por chave' });

    await play(page, 'Decidir a seu favor');

    await says(page, OVER);
    await shows(page, 'Perdida');
    await page.getByText('Por chave').waitFor();
  });

  test('ends as requested when the first answer is lost', async () => {
    const { page } = visit;
    const { id } = await contested(3_400);
    let tries = 0;
    await page.route(RESOLVE, async (route) => {
      tries += 1;
      if (tries > 1) return route.fallback();
      await route.fetch();
      await route.fulfill({ status: 503, headers: { 'retry-after': '0' }, json: { error: {} } });
    });
    await page.goto(`/test/disputes/${id}`);

    await play(page, 'Decidir a favor do pagador');

    await says(page, 'Contestação perdida');
    await shows(page, 'Perdida');
    expect(tries).toBe(2);
  });

  test('offers no simulation on a production page', async () => {
    const { page } = visit;
    const { id } = await contested(3_500);
    await page.route(`**/api/v1/disputes/${id}`, (route) =>
      route.continue({ headers: { ...route.request().headers(), 'x-environment': 'sandbox' } }),
    );

    await page.goto(`/disputes/${id}`);

    await page.getByRole('link', { name: 'Ver cobrança' }).waitFor();
    expect(await page.getByRole('button', MENU).count()).toBe(0);
  });
}
