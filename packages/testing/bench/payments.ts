import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '@plataforma/local';
import pg from 'pg';
import { z } from 'zod';
import { type FakeMerchant, startFakeMerchant } from '../src/fake-merchant.ts';
import { dataOf, httpTo, orderBody } from './http.ts';
import { spread } from './measure.ts';

const PAYMENTS = 200;
const WARM_UP = 100;
const PER_SECOND = 50;
const LOOK_EVERY_MS = 2;

/** When each charge was seen, by its id. */
type Sightings = Map<string, number>;

/**
 * From the provider's notice of a payment to the commit that puts it into the merchant's balance, and to the arrival
 * of the merchant's webhook. The books are watched over one connection of their own: asking the API for the balance
 * that often would load the machine with the questions.
 */
export async function payments(platform: Platform): Promise<string[]> {
  const { baseUrl, demo, sandboxControlUrl } = platform.facts;
  const shop = await startFakeMerchant();
  const merchant = httpTo(baseUrl, { 'x-api-key': demo.sandboxKey }, 8);
  const control = httpTo(sandboxControlUrl, {}, 8);
  const callbacks = httpTo(baseUrl, {}, 32);
  const hook = JSON.stringify({ url: `${shop.url}/hooks` });
  await dataOf(merchant.send({ method: 'POST', path: '/v1/webhook-config', body: hook }), 201);
  const told = watchShop(shop);
  const books = await watchBooks(platform.databaseUrls.ledger);
  const { pathname: path } = new URL(platform.callbackUrl);

  async function pay(): Promise<{ id: string; noticedAt: number }> {
    const charge = await dataOf(
      merchant.send({ method: 'POST', path: '/v1/charges', body: orderBody() }),
      201,
    );
    const order = {
      method: 'POST',
      path: `/control/pix/${charge.txid}/pay`,
      body: '{"notify":false}',
    } as const;
    if ((await control.send(order)).status !== 200) throw new Error('the payer could not pay');
    const noticedAt = performance.now();
    await dataOf(callbacks.send({ method: 'POST', path, body: `{"pix":[{"txid":"${charge.txid}"}]}` }), 200);
    return { id: String(charge.id), noticedAt };
  }

  async function payMany(count: number) {
    const running = [];
    for (let n = 0; n < count; n += 1) {
      running.push(pay());
      await sleep(1000 / PER_SECOND);
    }
    const paid = await Promise.all(running);
    while (paid.some(({ id }) => !books.seen.has(id) || !told.has(id))) await sleep(10);
    return paid;
  }

  // Not counted: the first payments compile the code they run through.
  await payMany(WARM_UP);
  const paid = await payMany(PAYMENTS);

  await Promise.all([merchant, control, callbacks].map((http) => http.close()));
  await books.stop();
  await shop.stop();
  const after = (sightings: Sightings) =>
    spread(paid.map(({ id, noticedAt }) => (sightings.get(id) ?? Number.NaN) - noticedAt));
  return [
    `Payment noticed → seen, ${PAYMENTS} payments at ${PER_SECOND}/s   (aim: p50 under 30 ms)`,
    `  balance   ${after(books.seen)}`,
    `  webhook   ${after(told)}`,
  ];
}

const message = z.object({ data: z.object({ id: z.string() }) });

function watchShop(shop: FakeMerchant): Sightings {
  const seen: Sightings = new Map();
  shop.answer(({ body }) => {
    seen.set(message.parse(JSON.parse(body.toString())).data.id, performance.now());
    return { status: 200 };
  });
  return seen;
}

async function watchBooks(url: string): Promise<{ seen: Sightings; stop(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const seen: Sightings = new Map();
  let isStopped = false;
  const look = async () => {
    const { rows } = await client.query<{ reference: string }>({
      name: 'look',
      text: "SELECT reference FROM journal_entries WHERE kind = 'charge_paid' ORDER BY id DESC LIMIT 50",
    });
    for (const { reference } of rows) if (!seen.has(reference)) seen.set(reference, performance.now());
  };
  const looking = (async () => {
    while (!isStopped) {
      await look();
      await sleep(LOOK_EVERY_MS);
    }
  })();
  return {
    seen,
    async stop() {
      isStopped = true;
      await looking;
      await client.end();
    },
  };
}
