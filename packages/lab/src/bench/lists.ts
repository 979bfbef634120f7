import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '@plataforma/local';
import { z } from 'zod';
import { fillHistory, someCharge } from './charge-history.ts';
import { atLeast, counted, type Figures, perSecond, type Row, times } from './figures.ts';
import { type Http, httpTo, orderBody } from './http.ts';
import {
  besideSmall,
  dayAgo,
  FEW,
  firstByte,
  inTurn,
  type Line,
  type Measuring,
  ofMany,
  type Sizes,
} from './list-lines.ts';
import { spread, underLoad } from './measure.ts';
import { MANY, partOf } from './options.ts';
import type { Workbench } from './run.ts';
import { merchantOf } from './transactions.ts';

const SLOW_REQUESTS = 30;
const CREATORS = 8;
const POLLERS = 8;
const POLL_EVERY_MS = 1_000;
const SECONDS = 10;

const PRESSED = 'creating charges beside eight pollers';
const first = '/v1/charges?limit=20';

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
  const day = `startDate=${dayAgo(60)}&endDate=${dayAgo(60)}`;
  const asFile = { 'x-api-key': demo.sandboxKey, accept: 'text/csv' };
  const some = await someCharge(url, merchantId);
  const rows = await inTurn(bench, [
    ...ofBothSizes({ small, large }),
    ...deepAndSearched(large, some),
    fileOf(`${baseUrl}/v1/charges?${day}`, asFile),
    { what: PRESSED, measure: () => besidePollers(bench, platform) },
  ]);
  const about = `\`GET /v1/charges\` of ${counted(MANY)} charges of one merchant over 365 days; the figures of page 1 and of a cursor are their p50 to that of ${counted(FEW)} charges.`;
  return { part: partOf('lists'), about, rows };
}

function ofBothSizes(sizes: Sizes): Measuring[] {
  const filtered = `${first}&status=PAID&paymentMethod=PIX`;
  const line = (what: string, paths: () => Promise<{ path: string; ofFew?: string }>): Measuring => ({
    what,
    measure: async () => besideSmall(sizes, { what, ...(await paths()), most: 1.2 }),
  });
  return [
    line('page 1', async () => ({ path: first })),
    line('a cursor’s page, half-way', async () => ({
      ofFew: await behind(sizes.small, FEW / 40),
      path: await behind(sizes.large, Math.min(5_000, MANY / 40)),
    })),
    line('page 1 of status and method', async () => ({ path: filtered })),
  ];
}

function fileOf(url: string, headers: Record<string, string>): Measuring {
  const what = 'first byte of a day’s CSV';
  return { what, measure: () => firstByte(what, url, headers) };
}

const paged = z.looseObject({ meta: z.looseObject({ next: z.string() }) });

async function behind(merchant: Http, page: number): Promise<string> {
  const path = `${first}&page=${page}`;
  const { status, text } = await merchant.send({ method: 'GET', path });
  if (status !== 200) throw new Error(`${path}: ${status}: ${text.slice(0, 200)}`);
  return `${first}&after=${paged.parse(JSON.parse(text)).meta.next}`;
}

function deepAndSearched(large: Http, { id, externalId }: { id: string; externalId: string }): Measuring[] {
  const days = `startDate=${dayAgo(330)}&endDate=${dayAgo(30)}`;
  const filtered = `status=PAID&paymentMethod=PIX&${days}`;
  const month = `startDate=${dayAgo(60)}&endDate=${dayAgo(30)}`;
  const isAimedAtAnyLength = true;
  const slow = { limitMs: 1_000, requests: SLOW_REQUESTS };
  const lines: Line[] = [
    { what: 'page 5,000', path: `${first}&page=5000` },
    { what: 'status, method and 300 days, exact total', path: `${first}&${filtered}` },
    { what: 'the same, page 5,000', path: `${first}&page=5000&${filtered}` },
    { what: 'volume of 90 days', path: `/v1/reports/volume?startDate=${dayAgo(120)}&endDate=${dayAgo(31)}` },
    { what: 'search by id', path: `/v1/charges?search=${id}`, isAimedAtAnyLength },
    { what: 'search by the end of an id', path: `/v1/charges?search=${id.slice(-8)}`, isAimedAtAnyLength },
    { what: '`externalId`', path: `/v1/charges?externalId=${externalId}`, isAimedAtAnyLength },
    { what: 'search by a name that many have', path: '/v1/charges?search=souza', ...slow },
    { what: 'search by one that the oldest fiftieth has', path: '/v1/charges?search=amaral', ...slow },
    { what: 'search by a name that none has', path: '/v1/charges?search=ninguem', ...slow },
    { what: 'amounts of 30 days', path: `/v1/charges?minAmount=5900&${month}`, ...slow },
  ];
  return lines.map((line) => ({ what: line.what, measure: () => ofMany(large, line) }));
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
    what: PRESSED,
    value,
    ...spread(beside.latencies),
    aim: atLeast(value, 0.9),
    note,
  };
}
