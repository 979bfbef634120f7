import { eventually, type Platform } from '@plataforma/local';
import { startBrowser } from '@plataforma/testing/browser';
import type { BrowserContext } from 'playwright-core';
import { z } from 'zod';
import { atMost, type Figures, milliseconds, type Row } from '../figures.ts';
import { quantile } from '../measure.ts';
import type { Workbench } from '../run.ts';
import { logInAs, newPerson } from './browser.ts';
import { shopOf } from './shop.ts';

const PAYMENTS = 30;
const LIMIT_MS = 1_000;
const instant = z.number();

/**
 * Resolves when the page no longer shows that it waits for the payment. The result is the time of the
 * browser's clock, which equals the clock of this machine.
 */
const NO_LONGER_WAITS = `new Promise((resolve) => {
  const isOver = () => !document.querySelector('main')?.textContent.includes('Aguardando o pagamento');
  const look = () => isOver() && resolve(Date.now());
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
})`;

interface Delays {
  fromCommit: number[];
  fromCall: number[];
}

/**
 * Measures how soon an open page shows a payment. The pages are the buyer's checkout and the merchant's page
 * of the charge.
 */
export async function paidShown({ platform, defer }: Workbench<Platform>): Promise<Figures> {
  const { facts } = await platform();
  const shop = shopOf(facts);
  const browser = await startBrowser();
  defer(() => browser.close());
  const buyer = await newPerson(browser, shop.webUrl, 390);
  const merchant = await newPerson(browser, shop.webUrl);
  await logInAs(merchant, facts.demo);
  const atCheckout = await delaysOf(shop, buyer, '/pay/');
  const atDashboard = await delaysOf(shop, merchant, '/test/charges/');
  return {
    about:
      `${PAYMENTS} payments, one after the other. The time ends when the open page shows the payment. It ` +
      'begins with the end of the transaction that records it, or with the call that simulates it.',
    rows: [...rowsOf('checkout', atCheckout), ...rowsOf('charge in the dashboard', atDashboard)],
  };
}

async function delaysOf(
  shop: ReturnType<typeof shopOf>,
  who: BrowserContext,
  prefix: string,
): Promise<Delays> {
  const delays: Delays = { fromCommit: [], fromCall: [] };
  for (let n = 0; n < PAYMENTS; n += 1) {
    const id = await shop.newCharge();
    const page = await who.newPage();
    // The benchmark waits until the page's stream is open. Otherwise the first answer could already contain
    // the payment, and no live update would be measured.
    const opened = page.waitForResponse((response) => response.url().includes('/stream'));
    await page.goto(prefix + id);
    await Promise.all([page.getByText('Aguardando o pagamento').first().waitFor(), opened]);
    const shown = page.evaluate(NO_LONGER_WAITS);
    const calledAt = Date.now();
    await shop.pay(id);
    const shownAt = instant.parse(await shown);
    const paidAt = await eventually(() => requireTime(shop.paidAt(id)));
    delays.fromCommit.push(shownAt - paidAt);
    delays.fromCall.push(shownAt - calledAt);
    await page.close();
  }
  return delays;
}

async function requireTime(read: Promise<number | undefined>): Promise<number> {
  const value = await read;
  if (value === undefined) throw new Error('the payment has no event yet');
  return value;
}

function rowsOf(what: string, { fromCommit, fromCall }: Delays): Row[] {
  const spread = (all: readonly number[]) => ({ p50: quantile(all, 0.5), p95: quantile(all, 0.95) });
  const late = milliseconds(quantile(fromCommit, 0.95));
  return [
    { what: `${what}: recorded → shown`, ...spread(fromCommit), aim: atMost(late, LIMIT_MS), note: 'p95' },
    { what: `${what}: simulated → shown`, ...spread(fromCall) },
  ];
}
