import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Platform } from '@plataforma/local';
import { type FakeMerchant, startFakeMerchant, withDatabase } from '@plataforma/testing';
import { z } from 'zod';
import { atMost, type Figures, milliseconds } from './figures.ts';
import { dataOf, httpTo, orderBody } from './http.ts';
import { atPace, spread } from './measure.ts';
import type { Workbench } from './run.ts';

const PAYMENTS = 200;
const WARM_UP = 100;
const PER_SECOND = 50;
const POLL_EVERY_MS = 2;
const SIGHTING_TIMEOUT_MS = 60_000;

type Sightings = Map<string, number>;

/**
 * Measures the time from the provider's callback to the merchant's balance and to the webhook. It polls the
 * ledger's database, because polling the API would load the machine.
 */
export async function payments(bench: Workbench<Platform>): Promise<Figures> {
  const platform = await bench.platform();
  const inWebhooks = await watchShop(bench, platform);
  const inBooks = watchBooks(bench, platform.databaseUrls.ledger);
  const pay = await payer(bench, platform);

  async function payMany(count: number) {
    const paid = await atPace({ perSecond: PER_SECOND, count }, pay);
    await eventually(() => requireSightings(paid, [inBooks, inWebhooks]), {
      timeoutMs: SIGHTING_TIMEOUT_MS,
      intervalMs: 10,
    });
    return paid;
  }

  // The first payments do not count, because Node compiles the code during them.
  await payMany(WARM_UP);
  const paid = await payMany(PAYMENTS);
  const after = (sightings: Sightings) =>
    spread(paid.map(({ id, noticedAt }) => (sightings.get(id) ?? Number.NaN) - noticedAt));
  const balance = after(inBooks);
  const aim = atMost(milliseconds(balance.p50), 30);
  return {
    about: `Time since the provider's callback: ${PAYMENTS} payments at ${PER_SECOND} a second.`,
    rows: [
      { what: "in the merchant's balance", ...balance, aim: { ...aim, words: `p50 ${aim.words}` } },
      { what: "webhook at the merchant's server", ...after(inWebhooks) },
    ],
  };
}

interface Payment {
  id: string;
  noticedAt: number;
}

/**
 * Returns a function that creates a charge, pays it at the provider without a callback, and then sends the
 * callback.
 */
async function payer(bench: Workbench<Platform>, { facts, callbackUrl }: Platform) {
  const { baseUrl, demo, sandboxControlUrl } = facts;
  const merchant = httpTo(bench, baseUrl, { headers: { 'x-api-key': demo.sandboxKey }, connections: 8 });
  const control = httpTo(bench, sandboxControlUrl, { connections: 8 });
  const callbacks = httpTo(bench, baseUrl, { connections: 32 });
  const { pathname: path } = new URL(callbackUrl);
  return async (): Promise<Payment> => {
    const created = merchant.send({ method: 'POST', path: '/v1/charges', body: orderBody() });
    const { id, txid } = await dataOf(created, 201);
    const order = { method: 'POST', path: `/control/pix/${txid}/pay`, body: '{"notify":false}' } as const;
    if ((await control.send(order)).status !== 200) throw new Error('the payer could not pay');
    const noticedAt = performance.now();
    await dataOf(callbacks.send({ method: 'POST', path, body: `{"pix":[{"txid":"${txid}"}]}` }), 200);
    return { id: String(id), noticedAt };
  };
}

function requireSightings(paid: readonly Payment[], sightings: readonly Sightings[]): void {
  for (const { id } of paid)
    if (sightings.some((sighted) => !sighted.has(id)))
      throw new Error(`charge ${id} is paid, and was not seen`);
}

const message = z.object({ data: z.object({ id: z.string() }) });

async function watchShop(bench: Workbench<Platform>, { facts }: Platform): Promise<Sightings> {
  const shop: FakeMerchant = await startFakeMerchant();
  bench.defer(shop.stop);
  const headers = { 'x-api-key': facts.demo.sandboxKey };
  const merchant = httpTo(bench, facts.baseUrl, { headers, connections: 1 });
  const body = JSON.stringify({ url: `${shop.url}/hooks` });
  await dataOf(merchant.send({ method: 'POST', path: '/v1/webhook-config', body }), 201);
  const received: Sightings = new Map();
  shop.answer((delivery) => {
    received.set(message.parse(JSON.parse(delivery.body.toString())).data.id, performance.now());
    return { status: 200 };
  });
  return received;
}

const FIND_NEWEST =
  "SELECT reference FROM journal_entries WHERE kind = 'charge_paid' ORDER BY id DESC LIMIT $1";
const NEWEST = 50;
/** A limit above the number of all payments in the benchmark. */
const ALL = 1_000;

function watchBooks(bench: Workbench<Platform>, url: string): Sightings {
  const sightings: Sightings = new Map();
  let isStopped = false;
  const polling = withDatabase(url, async (client) => {
    let limit = NEWEST;
    while (!isStopped) {
      const { rows } = await client.query<{ reference: string }>({
        name: 'look',
        text: FIND_NEWEST,
        values: [limit],
      });
      const unseen = rows.filter(({ reference }) => !sightings.has(reference));
      for (const { reference } of unseen) sightings.set(reference, performance.now());
      // If every row of the page is new, there may be further new rows beyond the page. The next query
      // therefore reads all rows.
      limit = unseen.length === NEWEST ? ALL : NEWEST;
      await sleep(POLL_EVERY_MS);
    }
  });
  bench.defer(() => {
    isStopped = true;
    return polling;
  });
  return sightings;
}
