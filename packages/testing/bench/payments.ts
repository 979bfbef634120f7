import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type FakeMerchant, startFakeMerchant } from '../src/fake-merchant.ts';
import { ensureMerchant } from '../src/platform/demo-merchant.ts';
import type { Platform } from '../src/platform/platform.ts';
import { dataOf, type Http, httpTo, orderBody } from './http.ts';
import { spread } from './measure.ts';

const PAYMENTS = 200;
const WARM_UP = 100;
const PER_SECOND = 50;
/** So many that no merchant has two payments on the way at once: its balance then tells of exactly one. */
const MERCHANTS = 25;
const POLL_MS = 4;

interface Paid {
  toBalance: number;
  toWebhook: number;
}

/**
 * From the provider's notice of a payment to the moment the merchant can see it in the balance (asked every few
 * milliseconds), and to the arrival of its webhook.
 */
export async function payments(platform: Platform): Promise<string[]> {
  const shop = await startFakeMerchant();
  const arrivals = new Map<string, number>();
  shop.answer(({ body }) => {
    arrivals.set(
      z.object({ data: z.object({ id: z.string() }) }).parse(JSON.parse(body.toString())).data.id,
      performance.now(),
    );
    return { status: 200 };
  });
  const merchants = await openMerchants(platform, shop);
  const callbacks = httpTo(platform.facts.baseUrl, {}, 32);
  const control = httpTo(platform.facts.sandboxControlUrl, {}, 8);

  const path = new URL(platform.callbackUrl).pathname;
  const payMany = async (count: number) => {
    const running: Promise<Paid>[] = [];
    for (let n = 0; n < count; n += 1) {
      const merchant = merchants[n % MERCHANTS];
      if (!merchant) throw new Error('no merchant');
      running.push(pay({ merchant, callbacks, control, path, arrivals }));
      await sleep(1000 / PER_SECOND);
    }
    return Promise.all(running);
  };
  // Not counted: the first payments compile the code they run through.
  await payMany(WARM_UP);
  const paid = await payMany(PAYMENTS);

  await Promise.all([...merchants, callbacks, control].map((http) => http.close()));
  await shop.stop();
  return [
    `Payment noticed → seen, ${PAYMENTS} payments at ${PER_SECOND}/s   (aim: p50 under 30 ms)`,
    `  balance   ${spread(paid.map(({ toBalance }) => toBalance))}`,
    `  webhook   ${spread(paid.map(({ toWebhook }) => toWebhook))}`,
  ];
}

async function openMerchants(platform: Platform, shop: FakeMerchant): Promise<Http[]> {
  const { baseUrl, operator } = platform.facts;
  const merchants: Http[] = [];
  for (let n = 0; n < MERCHANTS; n += 1) {
    const email = `bench-${Date.now()}-${n}@plataforma.test`;
    const cnpj = String(Date.now() % 1e10).padStart(10, '0') + String(n).padStart(4, '0');
    const keys = await ensureMerchant(baseUrl, { operator, cnpj, email, password: crypto.randomUUID() });
    const http = httpTo(baseUrl, { 'x-api-key': keys.sandboxKey }, 4);
    const body = JSON.stringify({ url: `${shop.url}/hooks` });
    await dataOf(http.send({ method: 'POST', path: '/v1/webhook-config', body }), 201);
    merchants.push(http);
  }
  return merchants;
}

interface Payment {
  merchant: Http;
  callbacks: Http;
  control: Http;
  path: string;
  arrivals: Map<string, number>;
}

async function pay({ merchant, callbacks, control, path, arrivals }: Payment): Promise<Paid> {
  const charge = await dataOf(merchant.send({ method: 'POST', path: '/v1/charges', body: orderBody() }), 201);
  const before = await earned(merchant);
  const order = {
    method: 'POST',
    path: `/control/pix/${charge.txid}/pay`,
    body: '{"notify":false}',
  } as const;
  const { status } = await control.send(order);
  if (status !== 200) throw new Error('the payer could not pay');

  const startedAt = performance.now();
  const notice = JSON.stringify({ pix: [{ txid: charge.txid }] });
  const noticed = callbacks.send({ method: 'POST', path, body: notice });
  while ((await earned(merchant)) === before) await sleep(POLL_MS);
  const toBalance = performance.now() - startedAt;
  await noticed;
  while (!arrivals.has(String(charge.id))) await sleep(POLL_MS);
  return { toBalance, toWebhook: (arrivals.get(String(charge.id)) ?? Number.NaN) - startedAt };
}

async function earned(merchant: Http): Promise<unknown> {
  return (await dataOf(merchant.send({ method: 'GET', path: '/v1/balance' }), 200)).totalEarned;
}
