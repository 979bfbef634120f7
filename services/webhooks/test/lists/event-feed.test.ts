import { beforeAll, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually, rounds } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { z } from 'zod';
import { disputeOpened, paid } from '../support/emitter.ts';
import { eventOf } from '../support/history.ts';
import { merchantHeader, newTenant } from '../support/identity.ts';
import { type Read, read } from '../support/reader.ts';
import { startWorld } from '../support/world.ts';

const world = worldOfFile(startWorld);
let urls: string[];

beforeAll(async () => {
  urls = [world.first.url, (await world.startReplica()).url];
});

const page = z.array(api.listEvents.data);

const get = (tenant: Tenant, query = '', replica = 0): Promise<Read> =>
  read(`${urls[replica]}/v1/events?${query}`, merchantHeader(tenant, ['charges:read', 'wallet:read']));
const idsIn = ({ data }: Read) => page.parse(data).map(({ id }) => id);

/**
 * Returns a reader. Its `readOn` waits, at one of the two replicas, for events after the last event that was
 * read.
 */
function readerOf(tenant: Tenant) {
  const read: string[] = [];
  return {
    read,
    async readOn() {
      const after = read.length > 0 ? `&after=${read.at(-1)}` : '';
      read.push(...idsIn(await get(tenant, `order=asc&wait=1&limit=7${after}`, read.length % 2)));
    },
  };
}

test('a reader with a cursor misses no event of a late commit', async () => {
  for (let round = 0; round < rounds(5); round += 1) {
    const tenant = newTenant();
    const reader = readerOf(tenant);
    const release = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<string>();
    const late = world.database.transaction(async (tx) => {
      stored.resolve((await eventOf(tx, tenant)).id);
      await release.promise;
    });
    const lateId = await stored.promise;

    for (let n = 0; n < 10; n += 1) await world.emitter.announce(paid(tenant));
    await eventually(async () => {
      await reader.readOn();
      expect((await get(tenant)).meta?.total).toBe(10);
    });
    await reader.readOn();
    release.resolve();
    await late;
    await world.emitter.announce(paid(tenant));
    await eventually(async () => {
      await reader.readOn();
      expect(reader.read).toHaveLength(12);
    });

    expect(reader.read).toContain(lateId);
    expect(new Set(reader.read)).toEqual(new Set(idsIn(await get(tenant))));
  }
});

test('a page continues after the last event’s id or meta.next', async () => {
  const tenant = newTenant();
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.push((await eventOf(world.database, tenant)).id);
  await eventually(async () => expect(idsIn(await get(tenant, 'order=asc'))).toEqual(ids));

  const first = await get(tenant, 'order=asc&limit=2');
  const second = await get(tenant, `order=asc&limit=2&after=${first.meta?.next}`);
  const rest = await get(tenant, `order=asc&limit=2&after=${ids[3]}`);

  expect([first, second, rest].map(idsIn)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  expect(first.meta).toMatchObject({ total: 5, page: 1, limit: 2, pages: 3 });
  expect(rest.meta).toEqual({ total: 1, page: 1, limit: 2, pages: 1 });
});

test('the feed can be filtered by type and object', async () => {
  const tenant = newTenant();
  const [payment, dispute] = [paid(tenant), disputeOpened(tenant)];
  for (const event of [payment, dispute]) await world.emitter.announce(event);
  await eventually(async () => expect(idsIn(await get(tenant, 'order=asc'))).toHaveLength(2));

  const ofType = await get(tenant, 'order=asc&event=dispute.opened');
  const ofObject = await get(tenant, `order=asc&resourceId=${payment.aggregateId}`);

  expect(page.parse(ofType.data)).toMatchObject([{ event: 'dispute.opened' }]);
  expect(page.parse(ofObject.data)).toMatchObject([{ resourceId: payment.aggregateId }]);
});

test.each([
  ['does not exist', async () => newId()],
  ['belongs to another merchant', async () => (await eventOf(world.database, newTenant())).id],
])('a cursor event that %s is refused with advice', async (_whose, idOf) => {
  const { status, error } = await get(newTenant(), `order=asc&after=${await idOf()}`);

  expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(error?.message).toMatch(/^after: .*begin without it/);
});

test('a malformed cursor is refused', async () => {
  for (const after of ['1', 'x.y', `${newId()}.z`])
    expect((await get(newTenant(), `order=asc&after=${after}`)).status).toBe(400);
});

test('events without a stored order come first', async () => {
  const tenant = newTenant();
  const { id: newer } = await eventOf(world.database, tenant);
  const { id: older } = await eventOf(world.database, tenant);
  await world.database.query(`UPDATE events SET xid = '0' WHERE id = $1`, [older]);

  await eventually(async () => expect(idsIn(await get(tenant, 'order=asc'))).toEqual([older, newer]));
  expect(idsIn(await get(tenant, `order=asc&after=${older}`))).toEqual([newer]);
});
