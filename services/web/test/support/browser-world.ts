import { afterEach, beforeEach } from '@jest/globals';
import { bankOf, joinPlatform, operatorToken } from '@plataforma/testing';
import { startBrowser, type Visit, type VisitOptions, visit } from '@plataforma/testing/browser';
import { callerTo, changeRows, worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { OURS } from './world.ts';

const rows = z.array(z.record(z.string(), z.unknown()));
const row = z.record(z.string(), z.unknown());

export type BrowserWorld = Awaited<ReturnType<typeof startBrowserWorld>>;

async function startBrowserWorld() {
  const [platform, browser] = await Promise.all([joinPlatform(), startBrowser()]);
  const { webUrl, baseUrl, demo, operator } = platform.facts;
  if (webUrl === null) throw new Error('the platform has no pages');

  const callApi = callerTo(baseUrl);
  const asMerchant = { 'x-api-key': demo.sandboxKey };

  async function call(
    method: string,
    path: string,
    body?: object,
    as: Record<string, string> = asMerchant,
  ): Promise<unknown> {
    const { status, data, error } = await callApi(path, { method, headers: as, body });
    if (error) throw new Error(`${method} ${path} answered ${status} ${error.code}`);
    return data;
  }

  async function asOperator(): Promise<Record<string, string>> {
    return { authorization: `Bearer ${await operatorToken(baseUrl, operator)}` };
  }

  const operate = async (path: string, body: object, method: 'POST' | 'PATCH' = 'POST') =>
    row.parse(await call(method, path, body, await asOperator()));

  return {
    webUrl,
    apiUrl: baseUrl,
    demo,
    bank: bankOf(platform.facts),
    /** Changes times in the database, for tests that can't wait so long. */
    async letPass(service: 'gateway' | 'charges', sql: string, values: unknown[] = []) {
      await changeRows(platform, service, { sql, values });
    },
    /** Opens a browser. A 401 does not count as a fault, because a page without a session gets a 401. */
    visit: (options: Partial<VisitOptions> = {}) =>
      visit(browser, { origin: webUrl, refusals: [401], ...options }),
    /** Calls the API with the merchant's API key, as the merchant's own programs do. */
    list: async (path: string) => rows.parse(await call('GET', path)),
    read: async (path: string) => row.parse(await call('GET', path)),
    make: async (path: string, body?: object) => row.parse(await call('POST', path, body ?? {})),
    /** Calls the API as an operator of the platform. */
    operate,
    /** Ends a stop. The shared platform has a single operator, so that one request is enough. */
    endStop: (id: unknown) => operate(`/v1/admin/stops/${id}/start`, {}),
    async merchantId(email = demo.email) {
      // The search selects the account, because another test may have registered a newer account.
      const path = `/v1/admin/merchants?search=${encodeURIComponent(email)}`;
      const [merchant] = rows.parse(await call('GET', path, undefined, await asOperator()));
      return merchant?.id;
    },
    change: (path: string, body: object) => call('PATCH', path, body),
    remove: (path: string) => call('DELETE', path),
    stop: () => browser.close(),
  };
}

/**
 * The platform of the test run with `web`, a real browser, and a merchant `demo` that only this test file
 * uses.
 */
export const world = worldOfFile(startBrowserWorld);

/**
 * Opens a browser with a session before each test. After the test, checks that the browser reported no
 * faults.
 */
export function enterForEach(options: Partial<VisitOptions> = {}): Visit {
  const visit = {} as Visit;
  beforeEach(async () => {
    Object.assign(visit, await visitAsDemo(options));
  });
  afterEach(() => visit.leave());
  return visit;
}

/** Opens a browser in which the demo merchant is already logged in. */
export async function visitAsDemo(options: Partial<VisitOptions> = {}): Promise<Visit> {
  const visit = await world.visit(options);
  await enter(visit, world.demo);
  return visit;
}

/** Creates a session with a request, without the log-in page. */
export async function enter(
  visit: Visit,
  { email, password }: Pick<BrowserWorld['demo'], 'email' | 'password'>,
): Promise<void> {
  await send(visit, 'POST', '/api/session', { email, password });
}

/** Sends a request from the browser, as a page of the sandbox does. */
export async function send({ context }: Visit, method: 'POST' | 'PATCH', path: string, data: object) {
  const headers = { ...OURS, 'x-environment': 'sandbox' };
  await context.request.fetch(path, { method, headers, data, failOnStatusCode: true });
}

/** Logs in through the log-in page with the keyboard. */
export async function logIn({ page }: Visit, { email, password }: { email: string; password: string }) {
  await page.goto('/test/login');
  await page.locator('input[name=email]').focus();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.endsWith('/login'));
  await page.locator('#content h1').waitFor();
}

let orders = 0;

export function anOrder(changes: object = {}) {
  orders += 1;
  const payer = { payerName: 'Maria da Silva', payerDocument: '12345678909' };
  return { amount: 2_500, externalId: `pedido-${Date.now()}-${orders}`, ...payer, ...changes };
}

/** Creates a charge and pays it in the sandbox. */
export async function paidCharge(changes: object = {}): Promise<string> {
  const { id } = await world.make('/v1/charges', anOrder(changes));
  await world.make(`/v1/charges/${id}/simulate-payment`);
  return String(id);
}

/** Opens a dispute of a charge, as the payer's bank would, and returns the dispute's id. */
export async function disputeOf(chargeId: unknown, changes: object = {}): Promise<string> {
  const why = { reason: 'FRAUD', description: 'O titular não reconhece a compra.' };
  return String((await world.operate('/v1/admin/disputes', { chargeId, ...why, ...changes })).id);
}
