import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { pools } from '@plataforma/http';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { createHub } from '../src/live/hub.ts';
import { write } from './support/connections.ts';
import { SLUG, link as shownLink } from './support/visit.ts';
import { OURS, startWorld, type World } from './support/world.ts';

let world: World;
let production: string;
const release: (() => void)[] = [];

beforeEach(async () => {
  await world?.stop();
  world = await startWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  const { gateway } = world;
  production = await world.logIn();
  await world.call('/api/session', { cookie: production });
  const approved = gateway.requestsTo('/v1/account').at(-1)?.headers.authorization;
  const ids = new Map<string, string>();
  gateway.answering('GET /v1/account', ({ headers: { authorization = '' } }) => {
    const id = ids.get(authorization) ?? newId();
    ids.set(authorization, id);
    return gateway.given({ id, status: authorization === approved ? 'APPROVED' : 'PENDING' });
  });
});
afterAll(() => world.stop());

/**
 * Logs in with accounts that are not approved. The service counts their requests as sandbox requests, even if
 * the header `x-environment` says production.
 */
const sandboxes = (count: number) => Promise.all(Array.from({ length: count }, () => world.logIn()));
const environmentOf = (index: number) => ({ 'x-environment': index % 2 === 0 ? 'production' : 'sandbox' });
const inProduction = { headers: { ...OURS, 'x-environment': 'production' } };

/** Sends a form whose body stays incomplete until the test completes it. */
function halfForm(cookie: string, environment: Record<string, string>) {
  const answer = Promise.withResolvers<string>();
  const about = { ...OURS, ...environment, cookie, connection: 'close', 'content-length': '4' };
  const headers = { ...about, 'content-type': 'multipart/form-data; boundary=limite' };
  const socket = write(world.url, 'POST /api/v1/files', headers, '--');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('close', () => answer.resolve(Buffer.concat(chunks).toString()));
  return { answer: answer.promise, finish: () => socket.write('--'), leave: () => socket.destroy() };
}

test('uploads of sandboxes leave half of the slots to production', async () => {
  const { total, perHolder, waitMs } = pools.forms;
  const cookies = await sandboxes(24);
  const forms = cookies.flatMap((cookie, index) =>
    Array.from({ length: 2 }, () => halfForm(cookie, environmentOf(index))),
  );
  let refused = 0;
  for (const { answer } of forms)
    void answer.then((text) => (refused += text.includes('HTTP/1.1 503') ? 1 : 0));
  await eventually(() => expect(refused).toBe(forms.length - total / 2), { timeoutMs: waitMs + 30_000 });

  const ours = Array.from({ length: perHolder }, () =>
    halfForm(production, { 'x-environment': 'production' }),
  );
  for (const { finish } of ours) finish();
  const answers = await Promise.all(ours.map(({ answer }) => answer));
  for (const { leave } of forms) leave();

  expect(answers.map((text) => text.slice(0, 12))).toEqual(answers.map(() => 'HTTP/1.1 200'));
});

test.each([
  { path: '/v1/charges', accounts: 64, each: 10 },
  { path: '/v1/events?order=asc&wait=20', accounts: 64, each: 4 },
])('requests of sandboxes to $path leave connections to production and buyers', async (load) => {
  const { gateway } = world;
  const [route = ''] = load.path.split('?');
  const pool = load.path === route ? pools.pages : pools.pageWaits;
  const cookies = await sandboxes(load.accounts);
  gateway.answering(`GET ${route}`, async () => {
    await new Promise<void>((resolve) => release.push(resolve));
    return gateway.given([]);
  });
  const requests = cookies.flatMap((cookie, index) =>
    Array.from({ length: load.each }, () =>
      world.call(`/api${load.path}`, { cookie, headers: environmentOf(index) }),
    ),
  );
  let refused = 0;
  for (const request of requests) void request.then(({ status }) => (refused += status === 503 ? 1 : 0));
  await eventually(() => expect(refused).toBeGreaterThanOrEqual(requests.length - pool.total / 2));
  gateway.giving(`GET ${route}`, []);

  const answers = await Promise.all([
    world.call(`/api${load.path}`, { ...inProduction, cookie: production }),
    world.call('/api/v1/balance', { ...inProduction, cookie: production }),
    world.call(`/pay/${newId()}/state`),
  ]);
  for (const end of release.splice(0)) end();
  await Promise.all(requests);

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('buyers of one network use only its share of slots', async () => {
  const { gateway } = world;
  const state = (address: string) =>
    world.call(`/pay/${newId()}/state`, { headers: { 'x-forwarded-for': address } });
  const { perHolder } = pools.buyerPages;
  const link = (address: string) => world.call(`/pay/l/${SLUG}`, { headers: { 'x-forwarded-for': address } });
  gateway.giving(`GET /v1/payment-links/${SLUG}/page`, shownLink);
  const goOn = gateway.block(`GET /v1/payment-links/${SLUG}/page`);
  const crowd = Array.from({ length: 200 }, () => link('192.0.2.1'));
  await eventually(() =>
    expect(gateway.requestsTo(`/v1/payment-links/${SLUG}/page`)).toHaveLength(perHolder),
  );

  const other = await state('192.0.2.2');
  const session = await world.logIn();
  const underWay = gateway.requestsTo(`/v1/payment-links/${SLUG}/page`).length;
  goOn();
  const pages = await Promise.all(crowd);

  expect([other.status, underWay]).toEqual([200, perHolder]);
  expect(session).not.toBe('');
  expect(pages.filter(({ status }) => status === 200)).toHaveLength(200);
});

test('waiting payments leave pages free, and a /48 shares slots', async () => {
  const { gateway } = world;
  const from = (address: string) => ({ headers: { ...OURS, 'x-forwarded-for': address } });
  const id = newId();
  const goOn = gateway.block(`POST /v1/checkouts/${id}/card`);
  const pay = (address: string) =>
    world.call(`/pay/c/${id}/card`, { ...from(address), method: 'POST', body: { cardToken: 'token' } });
  const crowd = Array.from({ length: 200 }, (_, subnet) => pay(`2001:db8:1:${subnet.toString(16)}::1`));
  const received = () => gateway.requestsTo(`/v1/checkouts/${id}/card`).length;
  await eventually(() => expect(received()).toBe(pools.buyerForms.perHolder));

  const page = await world.call(`/pay/${newId()}/state`, from('2001:db8:1::1'));
  const other = pay('2001:db8:2::1');
  await eventually(() => expect(received()).toBe(pools.buyerForms.perHolder + 1));
  goOn();
  await Promise.all([...crowd, other]);

  expect(page.status).toBe(200);
});

test('log-ins of one network leave slots to others and sessions', async () => {
  const { gateway } = world;
  const from = (address: string) => ({ headers: { ...OURS, 'x-forwarded-for': address } });
  const cookie = await world.logIn();
  const goOn = gateway.block('POST /v1/auth/login');
  const body = { email: 'ana@loja.test', password: 'wrong' };
  const logIn = (address: string) => world.call('/api/session', { ...from(address), method: 'POST', body });
  const before = gateway.requestsTo('/v1/auth/login').length;
  const received = () => gateway.requestsTo('/v1/auth/login').length - before;
  const { perHolder, waiting } = pools.logIns;
  const crowd = Array.from({ length: 300 }, () => logIn('192.0.2.1'));
  await eventually(() => expect(received()).toBe(perHolder));
  const served = perHolder + waiting.perHolder;
  const refusals = Promise.all(crowd).then((all) => all.filter(({ code }) => code === 'SERVICE_UNAVAILABLE'));

  const session = await world.call('/api/session', { ...from('192.0.2.1'), cookie });
  const other = logIn('192.0.2.2');
  await eventually(() => expect(received()).toBe(perHolder + 1));
  goOn();
  await other;

  expect(session.status).toBe(200);
  expect((await refusals).length).toBeGreaterThanOrEqual(crowd.length - served);
});

test('streams of sandboxes leave half of the slots to production', async () => {
  const hub = createHub();
  let running = 0;
  const open = (count: number, environment: 'sandbox' | 'production') => {
    for (let number = 0; number < count; number += 1) {
      const stream = () => {
        running += 1;
        return new Promise<void>(() => undefined);
      };
      hub.inAccountSlot({ merchantId: newId(), environment }, stream).catch(() => undefined);
    }
    return running;
  };
  const { total } = pools.streams;

  expect([open(total, 'sandbox'), open(total, 'production')]).toEqual([total / 2, total]);
});
