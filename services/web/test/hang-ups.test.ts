import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, type MetricsScraper, openMetricsScraper } from '@plataforma/testing';
import { charge, ID } from './support/charge.ts';
import { openStream, write } from './support/connections.ts';
import { startWorld, type World } from './support/world.ts';

const OF_A_CHARGE = 4;
let world: World;
let scraper: MetricsScraper;

beforeAll(async () => {
  scraper = await openMetricsScraper();
  world = await startWorld({ METRICS_PORT: String(scraper.port) });
  for (const route of [`GET /v1/charges/${ID}/checkout`, `GET /v1/checkouts/${ID}`]) {
    world.gateway.giving(route, charge);
  }
  world.gateway.giving('GET /v1/account', { id: ID });
});
afterAll(() => world.stop());

const streams = async () => (await scraper.scrape()).valueOf('plataforma_web_streams');
const aborted = async () =>
  (await scraper.scrape()).valueOf('plataforma_http_request_duration_seconds_count', { status: 'aborted' }) ??
  0;

async function openOnce(path: string, cookie: string): Promise<number> {
  const { status, close } = await openStream(world.url + path, { cookie });
  close();
  return status;
}

test.each([
  ['the charge', `/pay/${ID}/stream`, `GET /v1/charges/${ID}/checkout`],
  ['the checkout visit', `/pay/c/${ID}/stream`, `GET /v1/checkouts/${ID}`],
  ['the access token', '/api/stream?environment=sandbox', 'POST /v1/auth/refresh'],
  ['the account', '/api/stream?environment=sandbox', 'GET /v1/account'],
])('disconnected callers leave no stream while web waits for %s', async (_what, path, route) => {
  const [before, cookie] = [await aborted(), await world.logIn()];
  const [, requestPath = ''] = route.split(' ');
  for (let round = 0; round < OF_A_CHARGE; round += 1) {
    const own = await world.logIn();
    if (route.includes('refresh')) world.gateway.expireAccessTokens();
    const release = world.gateway.block(route);
    const earlier = world.gateway.requestsTo(requestPath).length;
    const socket = write(world.url, `GET ${path}`, { cookie: own }).resume();
    await eventually(() => expect(world.gateway.requestsTo(requestPath)).toHaveLength(earlier + 1));
    socket.destroy();
    await eventually(async () => expect(await aborted()).toBe(before + round + 1));
    release();
  }

  expect(await openOnce(path, cookie)).toBe(200);
  await eventually(async () => expect(await streams()).toBe(0));
});

test('a caller that reads no answer loses its connection', async () => {
  const before = await aborted();
  const shortTimeout = await startWorld({}, { stalledAfterMs: 1_000 });
  shortTimeout.gateway.giving('GET /v1/charges', 'x'.repeat(16_000_000));
  const cookie = await shortTimeout.logIn();

  const socket = write(shortTimeout.url, 'GET /api/v1/charges', { cookie }).pause();

  await eventually(async () => expect(await aborted()).toBe(before + 1));
  socket.destroy();
  await shortTimeout.stop();
});
