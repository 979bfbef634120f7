import { afterEach, describe, expect, test } from '@jest/globals';
import { api, type StopView } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { operatorAs } from './support/operators.ts';
import { sharedWorld, verifierOf } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const operator = beforeFile(() => operatorAs(world, 'FINANCE'));

afterEach(async () => {
  for (const name of ['charges', 'withdrawals'] as const) await world.services[name].reset();
});

const services = ['charges', 'withdrawals'] as const;
type Service = (typeof services)[number];

const stopAt = (service: Service, minute = 0): StopView => ({
  ...{ id: newId(), service, what: service === 'charges' ? 'refunds' : 'payouts', provider: null },
  ...{ merchantId: null, reason: 'incidente', stoppedBy: newId(), startedBy: [], startedAt: null },
  stoppedAt: new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString(),
});

/** Makes a service return these stops for a GET, newest first, and the first stop for a change. */
function has(service: Service, ...stops: StopView[]): void {
  world.services[service].answer(({ method, url }) => {
    const { searchParams } = new URL(url, 'http://service');
    const id = searchParams.get('id');
    const matching = stops.filter((stop) => id === null || stop.id === id);
    const items = matching.slice(0, Number(searchParams.get('newest')));
    const data = method === 'GET' ? { total: matching.length, items } : stops[0];
    return { status: method === 'GET' ? 200 : 202, body: JSON.stringify({ success: true, data }) };
  });
}

const send = (path: string, body?: unknown, { headers } = operator) =>
  world.call(`/v1/admin/stops${path}`, { method: 'POST', headers, ...(body ? { body } : {}) });
const postsTo = (service: Service) =>
  world.services[service].requests.filter(({ method }) => method === 'POST');

describe('a stop of orders', () => {
  test.each<[string, Service]>([
    ['payouts', 'withdrawals'],
    ['refunds', 'charges'],
    ['returns', 'charges'],
    ['charges', 'charges'],
  ])('for %s is forwarded to %s with the operator’s identity', async (what, service) => {
    const stop = stopAt(service);
    has(service, stop);
    const { id: merchantId } = await world.newMerchant();
    const order = { what, merchantId, reason: 'incidente' };

    const { status, json } = await send('', { ...order, stoppedBy: 'somebody' });

    expect([status, json.data]).toEqual([202, stop]);
    const [passed, ...more] = postsTo(service);
    expect([passed?.url, JSON.parse(String(passed?.body)), more]).toEqual(['/v1/admin/stops', order, []]);
    const { identity, issuer } = verifierOf(service).verify(String(passed?.headers['x-internal-identity']));
    expect([identity, issuer]).toEqual([
      { kind: 'operator', operatorId: operator.id, role: 'FINANCE', factorAt: expect.any(Number) },
      'gateway',
    ]);
  });

  test.each([
    ['of an unknown operation', { what: 'logins', reason: 'x' }, '400 VALIDATION_ERROR'],
    [
      'at a provider without such orders',
      { what: 'payouts', provider: 'card', reason: 'x' },
      '400 VALIDATION_ERROR',
    ],
    ['without a reason', { what: 'payouts' }, '400 VALIDATION_ERROR'],
    ['without a body', undefined, '400 VALIDATION_ERROR'],
    ['of an unknown merchant', { what: 'payouts', merchantId: newId(), reason: 'x' }, '404 NOT_FOUND'],
  ])('%s is not forwarded', async (_what, body, expected) => {
    const { status, json } = await send('', body);

    expect(`${status} ${json.error?.code}`).toBe(expected);
    expect(services.flatMap(postsTo)).toEqual([]);
  });

  test('passes on its service’s refusal and may be retried without answer', async () => {
    const failure = {
      success: false,
      error: { code: 'INVALID_STATE', message: 'it was started again already' },
    };
    world.services.charges.answer(() => ({ status: 409, body: JSON.stringify(failure) }));
    world.services.withdrawals.intercept((req) => req.socket.destroy());

    const refused = await send('', { what: 'refunds', reason: 'x' });
    const silent = await send('', { what: 'payouts', reason: 'x' });

    expect([refused.status, refused.json.error]).toEqual([409, failure.error]);
    expect([silent.status, silent.json.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });
});

describe('the end of a stop', () => {
  test.each(services)('is forwarded to the service of the stop: %s', async (service) => {
    const stop = stopAt(service);
    for (const each of services) has(each, ...(each === service ? [stop] : []));

    const { status, json } = await send(`/${stop.id}/start`, { startedBy: [newId(), newId()] });

    expect([status, json.data]).toEqual([202, stop]);
    const passed = services.flatMap((each) =>
      postsTo(each).map(({ url, body }) => [each, url, String(body)]),
    );
    expect(passed).toEqual([[service, `/v1/admin/stops/${stop.id}/start`, '']]);
  });

  test('works while the other service is down', async () => {
    const stop = stopAt('withdrawals');
    has('withdrawals', stop);
    world.services.charges.intercept((req) => req.socket.destroy());

    expect(await send(`/${stop.id}/start`)).toMatchObject({ status: 202 });
  });

  test('is 404 for an unknown stop, or 503 without all answers', async () => {
    for (const each of services) has(each);
    const unknown = await send(`/${newId()}/start`);
    world.services.charges.intercept((req) => req.socket.destroy());
    const unanswered = await send(`/${newId()}/start`);

    const codes = [unknown, unanswered].map(({ status, json }) => `${status} ${json.error?.code}`);
    expect(codes).toEqual(['404 NOT_FOUND', '503 SERVICE_UNAVAILABLE']);
    expect(services.flatMap(postsTo)).toEqual([]);
  });
});

const answer = z.object({
  data: z.array(api.listStops.data),
  meta: z.object({ total: z.int(), pages: z.int() }),
});
const list = (query: string, { headers } = operator) => world.call(`/v1/admin/stops?${query}`, { headers });

describe('the stops of all services', () => {
  test('are one list, newest first, in pages', async () => {
    const ofCharges = [stopAt('charges', 5), stopAt('charges', 1)];
    const ofWithdrawals = [stopAt('withdrawals', 4), stopAt('withdrawals', 3)];
    has('charges', ...ofCharges);
    has('withdrawals', ...ofWithdrawals);

    const pages = [await list('limit=3'), await list('limit=3&page=2')].map(({ json }) => answer.parse(json));

    const inOrder = [ofCharges[0], ...ofWithdrawals, ofCharges[1]];
    expect(pages.map(({ data }) => data)).toEqual([inOrder.slice(0, 3), inOrder.slice(3)]);
    expect(pages.map(({ meta }) => meta)).toEqual(Array(2).fill({ total: 4, pages: 2 }));
  });

  test('are the active ones unless the operator requests ended ones', async () => {
    const merchantId = newId();
    for (const each of services) has(each);

    await list('');
    await list(`ended=true&what=payouts&merchantId=${merchantId}`);

    const queries = world.services.withdrawals.requests.map(({ url }) =>
      Object.fromEntries(new URL(url, 'http://service').searchParams),
    );
    expect(queries).toEqual([
      { ended: 'false', newest: '21' },
      { ended: 'true', what: 'payouts', merchantId, newest: '21' },
    ]);
  });

  test('are refused when one service does not answer', async () => {
    has('charges', stopAt('charges'));
    world.services.withdrawals.intercept((req) => req.socket.destroy());

    const { status, json } = await list('');

    expect([status, json.error]).toMatchObject([503, { message: expect.stringMatching(/withdrawals/) }]);
  });
});
