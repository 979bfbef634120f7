import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { paid } from '../support/emitter.ts';
import { eventOf } from '../support/history.ts';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { read } from '../support/reader.ts';
import { sharedWorld } from '../support/world.ts';

const world = worldOfFile(sharedWorld);
let urls: string[];

beforeAll(async () => {
  urls = [world.first.url, (await world.startReplica()).url];
});

const page = z.array(api.listEvents.data);
const headersOf = (tenant: Tenant) => merchantHeader(tenant, ['charges:read', 'wallet:read']);

const wait = (tenant: Tenant, { seconds = 20, after = '', url = urls[0] } = {}) =>
  read(`${url}/v1/events?order=asc&wait=${seconds}${after && `&after=${after}`}`, headersOf(tenant));

/**
 * Starts a waiting request, which uses one of the merchant's four slots. Repeats the request if it was
 * refused because a request of `allWait` used the last slot.
 */
async function placeOf(
  tenant: Tenant,
  { url = urls[0], signal }: { url?: string; signal?: AbortSignal } = {},
) {
  for (;;) {
    const path = `${url}/v1/events?order=asc&wait=20`;
    const answer = await fetch(path, { headers: headersOf(tenant), signal: signal ?? null });
    if (answer.status !== 503) return answer;
    await sleep(20);
  }
}

const WAIT_MS = 20_000;

/** Starts a waiting request whose caller can hang up. */
function waiterOf(tenant: Tenant) {
  const gone = new AbortController();
  const begun = performance.now();
  let lasted = WAIT_MS;
  const answered = placeOf(tenant, gone)
    .then(({ status }) => status)
    .catch(() => null)
    .finally(() => {
      lasted = performance.now() - begun;
    });
  return { answered, hangUp: () => gone.abort(), wasCutShort: () => lasted < WAIT_MS };
}

/** Waits until waiting requests use all slots of these merchants. */
const allWait = (tenants: Tenant[], url = urls[0]) =>
  eventually(async () => {
    const fifths = await Promise.all(tenants.map((tenant) => wait(tenant, { seconds: 1, url })));
    expect(fifths.map(({ error }) => error)).toEqual(
      tenants.map(() => ({ code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(/wait/) })),
    );
  });

test('a long poll at either replica ends when an event occurs', async () => {
  const tenant = newTenant();
  const { id: after } = await eventOf(world.database, tenant);
  await eventually(async () => expect(page.parse((await wait(tenant)).data)).toHaveLength(1));
  const answers = urls.map((url) => wait(tenant, { after, url }));

  await world.emitter.announce(paid(tenant));

  for (const { status, data } of await Promise.all(answers))
    expect([status, page.parse(data).map(({ event }) => event)]).toEqual([200, ['charge.paid']]);
});

test('a long poll without an event ends with an empty page', async () => {
  expect(await wait(newTenant(), { seconds: 1 })).toEqual({
    status: 200,
    success: true,
    data: [],
    meta: { total: 0, page: 1, limit: 20, pages: 0 },
  });
});

test.each([
  ['order=desc&wait=20', /^wait: needs order=asc/],
  ['wait=1', /^wait: needs order=asc/],
  ['order=asc&wait=21', /^wait: /],
])('?%s is refused', async (query, message) => {
  const { status, error } = await read(`${urls[0]}/v1/events?${query}`, headersOf(newTenant()));

  expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(error?.message).toMatch(message);
});

test('256 long polls leave other requests free; a merchant’s fifth is refused', async () => {
  const tenants = Array.from({ length: 64 }, () => newTenant());
  const waiters = tenants.flatMap((tenant) => [1, 2, 3, 4].map(() => waiterOf(tenant)));
  const [first = newTenant()] = tenants;
  await allWait(tenants);

  const list = () =>
    eventually(async () => expect((await read(`${urls[0]}/v1/events`, headersOf(first))).status).toBe(200));
  await Promise.all(Array.from({ length: 10 }, list));
  expect(waiters.some(({ wasCutShort }) => wasCutShort())).toBe(false);

  waiters[0]?.hangUp();
  await eventually(async () => expect((await wait(first, { seconds: 1 })).status).toBe(200));
  await Promise.all(tenants.map((tenant) => eventOf(world.database, tenant)));
  const statuses = await Promise.all(waiters.map(({ answered }) => answered));
  expect(new Set(statuses.slice(1))).toEqual(new Set([200]));
});

test('a replica that stops answers its long polls', async () => {
  const replica = await world.startReplica();
  const tenant = newTenant();
  const waiting = Array.from({ length: 4 }, () => placeOf(tenant, { url: replica.url }));
  await allWait([tenant], replica.url);

  const begun = performance.now();
  await replica.stop();

  for (const answer of await Promise.all(waiting)) expect(await answer.json()).toMatchObject({ data: [] });
  expect(performance.now() - begun).toBeLessThan(8_000);
});
