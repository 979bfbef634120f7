import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '@plataforma/local';
import { fillHistory, someCharge } from './charge-history.ts';
import { atLeast, counted, type Figures, perSecond, type Row, times } from './figures.ts';
import { httpTo, orderBody } from './http.ts';
import { besideSmall, daysAgo, FEW, firstByte, halfWay, MANY, ofMany, sizesOf } from './list-lines.ts';
import { spread, underLoad } from './measure.ts';
import type { Workbench } from './run.ts';
import { fillWallet } from './wallet-history.ts';

const CREATORS = 8;
const POLLERS = 8;
const POLL_EVERY_MS = 1_000;
const SECONDS = 10;
const SEARCH_LIMIT_MS = 1_000;

const beside = (rows: string) =>
  `with ${counted(MANY)} ${rows} of one merchant over 365 days. The figures of page 1 and of a cursor ` +
  `compare their p50 with that for ${counted(FEW)} ${rows}.`;

/**
 * Measures `GET /v1/charges` through the gateway, for a merchant with 10,000 charges and one with a million.
 */
export async function lists(bench: Workbench<Platform>): Promise<Figures> {
  const platform = await bench.platform();
  const { baseUrl, demo } = platform.facts;
  const sizes = await sizesOf(bench);
  const { merchantId, large } = sizes;
  const url = platform.databaseUrls.charges;
  await fillHistory(url, { merchantId, environment: 'production', rows: FEW });
  await fillHistory(url, { merchantId, environment: 'sandbox', rows: MANY });
  const { id, externalId } = await someCharge(url, merchantId);

  const first = '/v1/charges?limit=20';
  const filtered = `status=PAID&paymentMethod=PIX&${daysAgo(330, 30)}`;
  const long: [what: string, path: string, limitMs?: number][] = [
    ['page 5,000', `${first}&page=5000`],
    ['status, method and 300 days, exact total', `${first}&${filtered}`],
    ['the same, page 5,000', `${first}&page=5000&${filtered}`],
    ['sums of status, method and 300 days', `${first}&sums=true&${filtered}`],
    ['volume of 90 days', `/v1/reports/volume?${daysAgo(120, 31)}`],
    ['search by id', `/v1/charges?search=${id}`],
    ['search by the end of an id', `/v1/charges?search=${id.slice(-8)}`],
    ['`externalId`', `/v1/charges?externalId=${externalId}`],
    ['search by a frequent name', '/v1/charges?search=souza', SEARCH_LIMIT_MS],
    ['search by a name that the oldest 2 % have', '/v1/charges?search=amaral', SEARCH_LIMIT_MS],
    ['search by a name without a result', '/v1/charges?search=ninguem', SEARCH_LIMIT_MS],
    ['search by two words of other order', '/v1/charges?search=amaral%20ines', SEARCH_LIMIT_MS],
    ['search by a part of an order number', `/v1/charges?search=${externalId.slice(2, -2)}`, SEARCH_LIMIT_MS],
    ['search by an amount', '/v1/charges?search=45,51', SEARCH_LIMIT_MS],
    ['sums of a frequent name', '/v1/charges?search=souza&sums=true', SEARCH_LIMIT_MS],
    ['amounts of 30 days', `/v1/charges?minAmount=5900&${daysAgo(60, 30)}`, SEARCH_LIMIT_MS],
  ];
  const rows = [
    await besideSmall(sizes, { what: 'page 1', path: first }),
    await halfWay(sizes, first),
    await besideSmall(sizes, {
      what: 'page 1 of status and method',
      path: `${first}&status=PAID&paymentMethod=PIX`,
    }),
  ];
  for (const line of long) rows.push(await ofMany(large, ...line));
  const asFile = { 'x-api-key': demo.sandboxKey, accept: 'text/csv' };
  rows.push(await firstByte('first byte of a day’s CSV', `${baseUrl}/v1/charges?${daysAgo(60, 60)}`, asFile));
  rows.push(await besidePollers(bench, platform));
  return { about: `\`GET /v1/charges\` ${beside('charges')}`, rows };
}

/** Measures `GET /v1/transactions` and the other lists of a wallet, with 10,000 rows and with a million. */
export async function transactions(bench: Workbench<Platform>): Promise<Figures> {
  const { facts, databaseUrls } = await bench.platform();
  const sizes = await sizesOf(bench);
  const { merchantId, large } = sizes;
  await fillWallet(databaseUrls.ledger, { merchantId, environment: 'production', rows: FEW });
  await fillWallet(databaseUrls.ledger, { merchantId, environment: 'sandbox', rows: MANY });

  const first = '/v1/transactions?limit=20';
  const month = daysAgo(120, 91);
  const short = [
    ['page 1', first],
    ['page 1, type', `${first}&type=FEE`],
    ['page 1, flow', `${first}&flow=in`],
    ['page 1, month', `${first}&${month}`],
    ['page 1 of the statement, month', `/v1/statement?limit=20&${month}`],
  ] as const;
  // Paths for the long list only, because the short list has too few rows for them.
  const long = [
    ['page 5,000', `${first}&page=5000`],
    ['type and flow of 300 days, exact total', `${first}&type=FEE&flow=out&${daysAgo(330, 30)}`],
    ['page 5,000, type', `${first}&page=5000&type=FEE`],
    ['receivables by day', '/v1/receivables'],
    ['page 1 of receivables', '/v1/receivables/items?limit=20'],
    ['closings of 90 days', `/v1/statement/closings?${daysAgo(120, 31)}`],
  ] as const;
  const day = `${facts.baseUrl}/v1/statement?${daysAgo(60, 60)}`;
  const files = [
    ['first byte of a day’s CSV', day, 'text/csv'],
    ['the same in pt-BR', `${day}&locale=pt-BR`, 'text/csv'],
    ['the same as OFX', day, 'application/x-ofx'],
  ] as const;
  const rows: Row[] = [];
  for (const [what, path] of short) rows.push(await besideSmall(sizes, { what, path }));
  rows.push(await halfWay(sizes, first));
  for (const [what, path] of long) rows.push(await ofMany(large, what, path));
  for (const [what, url, accept] of files)
    rows.push(await firstByte(what, url, { 'x-api-key': facts.demo.sandboxKey, accept }));
  return { about: `\`GET /v1/transactions\` and its siblings, ${beside('rows')}`, rows };
}

/**
 * Measures how long the creation of a charge takes, without other load and while eight clients each read page
 * 1 once a second.
 */
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
  const what = 'creating charges beside eight pollers';
  return { what, value, ...spread(beside.latencies), aim: atLeast(value, 0.9), note };
}
