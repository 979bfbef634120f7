import { afterEach, expect, test } from '@jest/globals';
import { barriersInModes, type Visit, type VisitOptions } from '@plataforma/testing/browser';
import { world } from '../support/browser-world.ts';

export function testLogIn(): void {
  let visit: Visit;

  afterEach(() => visit.leave());

  async function open(path: string, options: Partial<VisitOptions> = {}) {
    visit = await world.visit(options);
    await visit.page.goto(path);
    return visit.page;
  }

  test('works without JavaScript and shows refusals', async () => {
    const page = await open('/test/login', { hasScript: false });
    const logInWith = async (password: string) => {
      await page.getByLabel('E-mail').fill(world.demo.email);
      await page.getByLabel('Senha').fill(password);
      await page.getByRole('button', { name: 'Entrar' }).click();
    };

    await logInWith('not it');
    await page.getByText('E-mail ou senha não conferem.').waitFor();
    await logInWith(world.demo.password);

    await page.waitForURL((url) => url.pathname === '/test');
    expect(await page.locator('noscript').textContent()).toContain('O painel precisa de JavaScript.');
  });

  /**
   * Opens the log-in page as the server renders it. The page's script starts only when the test calls `load`.
   */
  async function openUnloaded() {
    visit = await world.visit();
    const { page } = visit;
    const loaded = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await page.goto('/test/login', { waitUntil: 'commit' });
    const load = async () => {
      loaded.resolve();
      await page.locator('form#log-in').waitFor({ state: 'detached' });
    };
    return { page, load };
  }

  test('has no barrier and keeps text typed before its script', async () => {
    const { page, load } = await openUnloaded();
    await page.getByLabel('Senha').waitFor();
    const barriers = await barriersInModes(page);
    await page.getByLabel('E-mail').fill(world.demo.email);
    await page.getByLabel('Senha').fill(world.demo.password);
    await load();

    expect([await page.getByLabel('E-mail').inputValue(), barriers]).toEqual([world.demo.email, []]);
    await page.getByLabel('Senha').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.pathname.endsWith('/login'));
    await page.locator('#content h1').waitFor();
  });

  test('keeps the focus while its script takes over', async () => {
    const { page, load } = await openUnloaded();
    await page.getByLabel('E-mail').focus();
    await page.keyboard.type(world.demo.email.slice(0, 5));
    await load();

    await page.keyboard.type(world.demo.email.slice(5));
    await page.keyboard.press('Tab');
    await page.keyboard.type(world.demo.password);

    expect(await page.getByLabel('E-mail').inputValue()).toBe(world.demo.email);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => !url.pathname.endsWith('/login'));
  });

  test('accepts a browser’s report of a blocked resource', async () => {
    const page = await open('/login');
    const reported = page.waitForResponse('**/api/policy-reports');

    await page.evaluate(
      `document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/a.png' }))`,
    );

    expect((await reported).status()).toBe(204);
    // A new visit begins here, because the log of the old visit contains a fault that the test caused.
    await visit.close();
    visit = await world.visit();
  });
}
