import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, type MetricsScraper, openMetricsScraper } from '@plataforma/testing';
import { charge, ID } from './support/charge.ts';
import { startWorld, type World } from './support/world.ts';

const MOST = 60;
let world: World;
let scraper: MetricsScraper;

beforeAll(async () => {
  scraper = await openMetricsScraper();
  world = await startWorld({
    METRICS_PORT: String(scraper.port),
    POLICY_REPORTS_PER_MINUTE: String(MOST),
    TRUSTED_PROXIES: '127.0.0.1',
  });
  world.gateway.giving(`GET /v1/charges/${ID}/checkout`, charge);
});
afterAll(() => world.stop());

let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return `203.0.113.${addresses}`;
};

function send(
  changes: object = {},
  headers: Record<string, string> = {},
  { call }: Pick<World, 'call'> = world,
) {
  const report = {
    'document-uri': 'https://pay.test/pay/a?token=secret',
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.test/x.js?q=1',
    ...changes,
  };
  return call('/api/policy-reports', {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/csp-report', 'sec-fetch-site': 'same-origin' },
      ...{ 'x-forwarded-for': newAddress(), ...headers },
    },
    body: JSON.stringify({ 'csp-report': report }),
  });
}

async function count(labels: Record<string, string>) {
  return (await scraper.scrape()).valueOf('plataforma_web_policy_reports_total', labels);
}

test.each([
  ['a foreign script at the checkout', {}, { page: 'checkout', directive: 'script', blocked: 'other' }],
  [
    'an extension’s script in the dashboard',
    { 'document-uri': 'https://app.test/charges', 'blocked-uri': 'chrome-extension://abc/x.js' },
    { page: 'dashboard', directive: 'script', blocked: 'extension' },
  ],
  [
    'an inline script of a Firefox extension',
    { 'blocked-uri': 'inline', 'source-file': 'moz-extension' },
    { page: 'checkout', directive: 'script', blocked: 'extension' },
  ],
  [
    'an unknown directive',
    { 'effective-directive': 'x'.repeat(500) },
    { page: 'checkout', directive: 'other', blocked: 'other' },
  ],
])('a report is counted: %s', async (_what, changes, labels) => {
  const before = await count(labels);

  expect((await send(changes)).status).toBe(204);

  expect([before, await count(labels)]).toEqual([0, 1]);
});

test.each([
  ['of a page of another site', {}, { 'sec-fetch-site': 'cross-site' }, 403],
  ['longer than 8 kB', { 'source-file': 'x'.repeat(9_000) }, {}, 413],
  ['without a valid shape', { 'document-uri': 7 }, {}, 400],
  ['of another type', {}, { 'content-type': 'application/json' }, 400],
])('a report %s is refused', async (_what, changes, headers, status) => {
  expect((await send(changes, headers)).status).toBe(status);
});

test('an address sends twenty reports a minute, repeaters share half', async () => {
  const statuses: number[] = [];
  for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4']) {
    const headers = { 'x-forwarded-for': address };
    for (let sent = 0; sent < 21; sent += 1) statuses.push((await send({}, headers)).status);
  }

  expect(statuses.slice(0, 21)).toEqual([...Array(20).fill(204), 429]);
  expect(statuses.filter((status) => status === 204)).toHaveLength(4 + MOST / 2);

  const others: number[] = [];
  await eventually(async () => {
    const { status, headers } = await send();
    others.push(status);
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
  });
  expect(others.length - 1).toBeGreaterThan(10);
  expect(others.length).toBeLessThan(MOST / 2);
});

test('the networks of an IPv6 /48 leave half to the first reports of others', async () => {
  const another = await startWorld({ POLICY_REPORTS_PER_MINUTE: String(MOST), TRUSTED_PROXIES: '127.0.0.1' });
  const statuses: number[] = [];
  for (let network = 0; network < MOST; network += 1) {
    const headers = { 'x-forwarded-for': `2001:db8:0:${network.toString(16)}::1` };
    statuses.push((await send({}, headers, another)).status);
  }

  expect(statuses.filter((status) => status === 204)).toHaveLength(1 + MOST / 2);
  expect((await send({}, { 'x-forwarded-for': '2001:db8:1::1' }, another)).status).toBe(204);
  await another.stop();
});

test('a metric shows the digest of the checkout script', async () => {
  const { text } = await world.call(`/pay/${ID}`);

  const digest = /integrity="([^"]+)"/.exec(text)?.[1];
  const shown = await scraper.scrape();
  expect(digest).toMatch(/^sha384-/);
  expect(shown.valueOf('plataforma_web_checkout_script', { digest: digest ?? '' })).toBe(1);
});
