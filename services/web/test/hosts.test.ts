import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { send } from '@plataforma/testing/fixtures';
import { charge, ID } from './support/charge.ts';
import { startWorld, type World } from './support/world.ts';

const PANEL = 'painel.loja.test';
const CHECKOUT = 'pagar.loja.test';
const OTHER = 'loja.test';
const hosts = { DASHBOARD_HOST: PANEL, CHECKOUT_HOST: CHECKOUT };

/**
 * The pages that a host serves. `answers` contains the expected statuses of the dashboard's document and
 * session, and of the checkout's page and state.
 */
type Served = 'dashboard' | 'checkout' | 'both' | 'nothing';
const answers: Record<Served, Record<string, number>> = {
  dashboard: { '/test/charges': 200, '/api/session': 401, [`/pay/${ID}`]: 404, [`/pay/${ID}/state`]: 404 },
  checkout: { '/test/charges': 404, '/api/session': 404, [`/pay/${ID}`]: 200, [`/pay/${ID}/state`]: 200 },
  both: { '/test/charges': 200, '/api/session': 401, [`/pay/${ID}`]: 200, [`/pay/${ID}/state`]: 200 },
  nothing: { '/test/charges': 404, '/api/session': 404, [`/pay/${ID}`]: 404, [`/pay/${ID}/state`]: 404 },
};

const tables: [settings: Record<string, string>, at: Record<string, Served>][] = [
  [
    hosts,
    { [PANEL]: 'dashboard', [CHECKOUT]: 'checkout', [OTHER]: 'nothing', [`${PANEL}:8443`]: 'dashboard' },
  ],
  [{}, { [PANEL]: 'both', [OTHER]: 'both' }],
  [
    { ...hosts, PAGES: 'dashboard' },
    { [PANEL]: 'dashboard', [CHECKOUT]: 'nothing', [OTHER]: 'nothing' },
  ],
  [
    { ...hosts, PAGES: 'checkout' },
    { [PANEL]: 'nothing', [CHECKOUT]: 'checkout', [OTHER]: 'nothing' },
  ],
  [{ PAGES: 'dashboard' }, { [PANEL]: 'dashboard', [OTHER]: 'dashboard' }],
  [{ PAGES: 'checkout' }, { [PANEL]: 'checkout', [OTHER]: 'checkout' }],
  [{ CHECKOUT_HOST: CHECKOUT }, { [CHECKOUT]: 'both', [OTHER]: 'dashboard' }],
];

describe.each(tables)('with %j', (settings, at) => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld({ ...settings, KEEP_ALIVE_MS: '620000' });
    world.gateway.giving(`GET /v1/charges/${ID}/checkout`, charge);
  });
  afterAll(() => world.stop());

  test('an idle connection lasts for the configured time', async () => {
    const { headers } = await fetch(world.url);

    expect(headers.get('keep-alive')).toBe('timeout=620');
  });

  function statusOf(host: string, path: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const clientRequest = request(world.url + path, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    clientRequest.on('error', reject).end();
    return promise;
  }

  test.each(Object.entries(at))('the host %s serves %s', async (host, served) => {
    const expected = answers[served];
    const found = Object.keys(expected).map(async (path) => [path, await statusOf(host, path)] as const);

    expect(Object.fromEntries(await Promise.all(found))).toEqual(expected);
  });

  test('every host answers its readiness check', async () => {
    for (const host of [PANEL, CHECKOUT, OTHER]) expect(await statusOf(host, '/readyz')).toBe(200);
  });
});

test('a server with host names answers no other host', async () => {
  const world = await startWorld({ HOST_NAMES: PANEL });
  const statusAt = async (host: string) => (await send(`${world.url}/readyz`, { headers: { host } })).status;

  expect([await statusAt(PANEL), await statusAt(OTHER)]).toEqual([200, 404]);
  await world.stop();
});

test.each(['console', 'dashboard;checkout', 'dashboard,'])(
  'PAGES=%j without a valid page is refused',
  async (pages) => {
    await expect(startWorld({ PAGES: pages })).rejects.toThrow('PAGES');
  },
);
