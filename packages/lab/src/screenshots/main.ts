import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildPages } from '@plataforma/local';
import { startBrowser, type VisitOptions, visit } from '@plataforma/testing/browser';
import type { Page } from 'playwright-core';
import { openPlatform } from '../bench/platform.ts';
import { makeDemoData } from './demo-data.ts';

const FOLDER = fileURLToPath(new URL('../../../../docs/images/', import.meta.url));
const MOST_BYTES = 150_000;
const DESK = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 780 };

const closers = new AsyncDisposableStack();
try {
  await mkdir(FOLDER, { recursive: true });
  await takeAll();
} finally {
  await closers.disposeAsync();
}

/** Takes all pictures for the documents. It starts a new platform and creates a shop's data. */
async function takeAll(): Promise<void> {
  await buildPages();
  const { platform, stop } = await openPlatform({ web: { port: null } });
  closers.defer(stop);
  const { webUrl, demo } = platform.facts;
  if (webUrl === null) throw new Error('the platform has no pages');
  const { paid, waiting, link } = await makeDemoData(platform.facts);
  const browser = await startBrowser();
  closers.defer(() => browser.close());
  const opened = async (options: Partial<VisitOptions> = {}) => {
    const { page } = await visit(browser, { origin: webUrl, refusals: [401], ...options });
    return page;
  };

  const phone = await opened({ width: PHONE.width });
  await phone.setViewportSize(PHONE);
  await takeCheckout(phone, waiting, 'checkout-waiting');
  await takeCheckout(phone, paid, 'checkout-paid');
  const desk = await opened();
  await desk.setViewportSize(DESK);
  await logIn(desk, demo);
  await takeDashboard(desk, '/test', 'home');
  await takeDashboard(desk, '/test/charges', 'charges');
  await takeDashboard(desk, `/test/charges/${paid}`, 'charge');
  await takeDashboard(desk, `/test/payment-links/${link}`, 'payment-link');
  await desk.emulateMedia({ colorScheme: 'dark' });
  await takeDashboard(desk, '/test', 'home-dark');
}

async function logIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/test/login');
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.endsWith('/login'));
}

async function takeDashboard(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.reload();
  await page.locator('#content h1').waitFor();
  await page.locator('#content [role=status][aria-label]').first().waitFor({ state: 'detached' });
  await take(page, name);
}

async function takeCheckout(page: Page, id: string, name: string): Promise<void> {
  await page.goto(`/pay/${id}`);
  await page.locator('[role=status]').first().waitFor();
  await take(page, name);
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  const path = `${FOLDER}${name}.png`;
  await page.screenshot({ path, animations: 'disabled', caret: 'hide', scale: 'css' });
  const { size } = await stat(path);
  if (size > MOST_BYTES) throw new Error(`${name}.png has ${size} bytes, more than ${MOST_BYTES}`);
  console.log(`docs/images/${name}.png: ${Math.round(size / 1_000)} kB`);
}
