import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '@plataforma/local';
import { z } from 'zod';
import { fillHistory, someCharge } from './charge-history.ts';
import {
  atLeast,
  atMost,
  counted,
  type Figures,
  milliseconds,
  perSecond,
  type Row,
  times,
} from './figures.ts';
import { type Http, httpTo, orderBody } from './http.ts';
import { spread, underLoad } from './measure.ts';
import type { Workbench } from './run.ts';
import { merchantOf } from './transactions.ts';

const FEW = 10_000;
const MANY = Number(
  process.argv.find((arg) => arg.startsWith('--rows='))?.slice('--rows='.length) ?? 1_000_000,
);
const REQUESTS = 200;
const SLOW_REQUESTS = 30;
const CREATORS = 8;
const POLLERS = 8;
const POLL_EVERY_MS = 1_000;
const SECONDS = 10;

/** GET /v1/charges through the gateway, of a merchant with ten thousand charges and of one with a million. */
export async function lists(bench: Workbench<Platform>): Promise<Figures> {
  const platform = await bench.platform();
  const { baseUrl, demo } = platform.facts;
  const merchantId = await merchantOf(platform);
  const url = platform.databaseUrls.charges;
  await fillHistory(url, { merchantId, environment: 'production', rows: FEW });
  await fillHistory(url, { merchantId, environment: 'sandbox', rows: MANY });
  const small = httpTo(bench, baseUrl, { headers: { 'x-api-key': demo.liveKey }, connections: 1 });
  const large = httpTo(bench, baseUrl, { headers: { 'x-api-key': demo.sandboxKey }, connections: 1 });
  const rows = [
    ...(await besideSmall(small, large)),
    ...(await deepAndSearched(large, await someCharge(url, merchantId))),
    await firstByte(`${baseUrl}/v1/charges`, demo.sandboxKey),
    await besidePollers(bench, platform),
  ];
  const about = `\`GET /v1/charges\` of ${counted(MANY)} charges of one merchant over 365 days; the figures of page 1 and of a cursor are their p50 to that of ${counted(FEW)} charges.`;
  return { about, rows };
}

async function besideSmall(small: Http, large: Http): Promise<Row[]> {
  const first = '/v1/charges?limit=20';
  const lists = [
    ['page 1', first, first],
    [
      'a cursor’s page, half-way',
      await behind(small, FEW / 40),
      await behind(large, Math.min(5_000, MANY / 40)),
    ],
    [
      'page 1 of status and method',
      `${first}&status=PAID&paymentMethod=PIX`,
      `${first}&status=PAID&paymentMethod=PIX`,
    ],
  ] as const;
  const rows: Row[] = [];
  for (const [what, ofFew, ofMany] of lists) {
    const before = spread(await timed(small, ofFew, REQUESTS));
    const after = spread(await timed(large, ofMany, REQUESTS));
    const value = times(after.p50 / before.p50);
    rows.push({
      what,
      value,
      ...after,
      aim: atMost(value, 1.2),
      note: `small: p50 ${before.p50.toFixed(1)} ms`,
    });
  }
  return rows;
}

const paged = z.looseObject({ meta: z.looseObject({ next: z.string() }) });

async function behind(merchant: Http, page: number): Promise<string> {
  const { text } = await merchant.send({ method: 'GET', path: `/v1/charges?limit=20&page=${page}` });
  return `/v1/charges?limit=20&after=${paged.parse(JSON.parse(text)).meta.next}`;
}

async function deepAndSearched(
  large: Http,
  { id, externalId }: { id: string; externalId: string },
): Promise<Row[]> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const days = `startDate=${day(330)}&endDate=${day(30)}`;
  const lists = [
    ['page 5,000', '/v1/charges?limit=20&page=5000', 50, REQUESTS],
    [
      'status, method and 300 days, exact total',
      `/v1/charges?limit=20&status=PAID&paymentMethod=PIX&${days}`,
      50,
      REQUESTS,
    ],
    [
      'the same, page 5,000',
      `/v1/charges?limit=20&page=5000&status=PAID&paymentMethod=PIX&${days}`,
      50,
      REQUESTS,
    ],
    ['volume of 90 days', `/v1/reports/volume?startDate=${day(120)}&endDate=${day(31)}`, 50, REQUESTS],
    ['search by id', `/v1/charges?search=${id}`, 50, REQUESTS],
    ['search by the end of an id', `/v1/charges?search=${id.slice(-8)}`, 50, REQUESTS],
    ['`externalId`', `/v1/charges?externalId=${externalId}`, 50, REQUESTS],
    ['search by a name that many have', '/v1/charges?search=souza', 1_000, SLOW_REQUESTS],
    ['search by a name that none has', '/v1/charges?search=ninguem', 1_000, SLOW_REQUESTS],
    [
      'amounts of 30 days',
      `/v1/charges?minAmount=5900&startDate=${day(60)}&endDate=${day(30)}`,
      1_000,
      SLOW_REQUESTS,
    ],
  ] as const;
  const rows: Row[] = [];
  for (const [what, path, limit, requests] of lists) {
    const taken = spread(await timed(large, path, requests));
    const aim = atMost(milliseconds(taken.p99), limit);
    rows.push({ what, ...taken, aim: { ...aim, words: `p99 ${aim.words}` } });
  }
  return rows;
}

/** Until the first thousand rows of a file are there. */
async function firstByte(url: string, key: string): Promise<Row> {
  const latencies: number[] = [];
  for (let n = 0; n < SLOW_REQUESTS; n += 1) {
    const startedAt = performance.now();
    const answer = await fetch(url, { headers: { 'x-api-key': key, accept: 'text/csv' } });
    const reader = answer.body?.getReader();
    await reader?.read();
    latencies.push(performance.now() - startedAt);
    await reader?.cancel();
  }
  const taken = spread(latencies);
  const aim = atMost(milliseconds(taken.p50), 50);
  return { what: 'first byte of the file', ...taken, aim: { ...aim, words: `p50 ${aim.words}` } };
}

/** Creating charges, alone and while others look at page 1 once a second each. */
async function besidePollers(bench: Workbench<Platform>, { facts }: Platform): Promise<Row> {
  const headers = { 'x-api-key': facts.demo.sandboxKey };
  const shop = httpTo(bench, facts.baseUrl, { headers, connections: CREATORS });
  const send = async () => {
    const { status, text } = await shop.send({ method: 'POST', path: '/v1/charges', body: orderBody() });
    if (status !== 201) throw new Error(`${status}: ${text}`);
  };
  const load = { connections: CREATORS, seconds: SECONDS, send };
  const before = await underLoad(load);
  let isPolling = true;
  const pages = httpTo(bench, facts.baseUrl, { headers, connections: POLLERS });
  const polling = Array.from({ length: POLLERS }, async (_, i) => {
    await sleep((i * POLL_EVERY_MS) / POLLERS);
    while (isPolling) {
      await pages.send({ method: 'GET', path: '/v1/charges?limit=20' });
      await sleep(POLL_EVERY_MS);
    }
  });
  const beside = await underLoad(load);
  isPolling = false;
  await Promise.all(polling);
  const alone = await underLoad(load);
  const value = times(beside.perSecond / ((before.perSecond + alone.perSecond) / 2));
  const note = `alone before and after: ${[before, alone].map((one) => perSecond(one.perSecond).amount.toFixed(0)).join('/s, ')}/s`;
  return {
    what: 'creating charges beside eight pollers',
    value,
    ...spread(beside.latencies),
    aim: atLeast(value, 0.9),
    note,
  };
}

async function timed(merchant: Http, path: string, requests: number): Promise<number[]> {
  const latencies = [];
  for (let n = 0; n < requests * 1.1; n += 1) {
    const startedAt = performance.now();
    const { status, text } = await merchant.send({ method: 'GET', path });
    if (status !== 200) throw new Error(`${status}: ${text.slice(0, 200)}`);
    latencies.push(performance.now() - startedAt);
  }
  return latencies.slice(requests / 10);
}
