import type { PlatformFacts } from '@plataforma/local';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Opens a browser context without the checks that `visit` adds for browser tests. */
export function newPerson(browser: Browser, webUrl: string, width = 1280): Promise<BrowserContext> {
  return browser.newContext({
    ...{ baseURL: webUrl, locale: 'pt-BR', timezoneId: 'America/Sao_Paulo' },
    viewport: { width, height: 900 },
  });
}

export async function logInAs(context: BrowserContext, { email, password }: PlatformFacts['demo']) {
  const page = await context.newPage();
  await page.goto('/test/login');
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.endsWith('/login'));
  await page.close();
}

const LATENCY_MS = 150;
const BYTES_A_SECOND = 1_600_000 / 8;
const SLOWER = 4;

/** Simulates a slow 4G connection and a processor with a quarter of the speed. */
export async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: LATENCY_MS },
    ...{ downloadThroughput: BYTES_A_SECOND, uploadThroughput: BYTES_A_SECOND },
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
}
