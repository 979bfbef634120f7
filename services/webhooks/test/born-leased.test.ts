import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database, Transaction } from '@plataforma/data';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually, rounds } from '@plataforma/testing';
import { openTestDatabase, silent } from '@plataforma/testing/world';
import { migrations } from '../migrations/index.ts';
import type { Attempt, Delivery } from '../src/domain/delivery.ts';
import { queueDeliveries } from '../src/operations/queue-deliveries.ts';
import { type Sender, startSender } from '../src/sending/sender.ts';
import { newTenant } from './support/identity.ts';

const FAR_MS = 3_600_000;

let database: Database;
let senders: TestSender[];

beforeAll(async () => {
  ({ database } = await openTestDatabase(migrations));
});
afterAll(() => database.close());
beforeEach(() => {
  senders = [];
});
afterEach(async () => {
  await Promise.all(senders.map((sender) => sender.stop()));
  await database.query('DELETE FROM deliveries');
});

interface TestSender extends Sender {
  /** The ids of what was sent, in order. */
  sent: string[];
  /** Answers the oldest request that has no answer yet; null: the attempt does not count. */
  answerOne(as?: Partial<Attempt> | null): void;
}

/** A sender with eight places, two for an endpoint that has answered; its requests are answered when it is told. */
function startTestSender(leaseMs = FAR_MS): TestSender {
  const sent: string[] = [];
  const held: ((as: Partial<Attempt> | null) => void)[] = [];
  const stopping = Promise.withResolvers<null>();
  async function post({ id }: Delivery): Promise<Attempt | null> {
    sent.push(id);
    const at = new Date();
    const attempt = { at, durationMs: 1, statusCode: 200, failure: null, responseBody: null };
    const { promise, resolve } = Promise.withResolvers<Attempt | null>();
    held.push((as) => resolve(as && { ...attempt, ...as }));
    return Promise.race([promise, stopping.promise]);
  }
  const sender = startSender({
    ...{ database, log: silent, post },
    cancelRequests: async () => stopping.resolve(null),
    pace: { limits: { total: 8, perEndpoint: 8 }, leaseMs, drainMs: 0, retryDelaysMs: [], laterDelaysMs: [] },
  });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= sender.stop());
  const started = { ...sender, stop, sent, answerOne: (as = {}) => held.shift()?.(as) };
  senders.push(started);
  return started;
}

const CONFIGURE = `
  INSERT INTO configurations (id, merchant_id, environment, url, events, secret_key_id, secret_sealed)
  VALUES ($1, $2, $3, 'https://shop.example/', '{}', 'first', '')`;

/** A merchant with one configuration. */
async function shop(): Promise<Tenant> {
  const tenant = newTenant();
  await database.query(CONFIGURE, [newId(), tenant.merchantId, tenant.environment]);
  return tenant;
}

interface Queued {
  ids: string[];
  /** How many of them were stored with a lease. */
  leased: number;
}

/** What the service does with so many new events of a merchant; `before` the commit something else may happen. */
async function queue(
  { sendNew }: Pick<Sender, 'sendNew'>,
  tenant: Tenant,
  { count = 1, before = async (_tx: Transaction): Promise<void> => undefined } = {},
): Promise<Queued> {
  const queued: Queued = { ids: [], leased: 0 };
  const notifications = Array.from({ length: count }, () => ({
    ...{ ...tenant, id: newId(), type: 'charge.paid' as const, resourceId: newId() },
    ...{ sequence: 1, occurredAt: new Date().toISOString(), body: '{}', traceparent: null },
  }));
  await database.transaction(async (tx) => {
    await queueDeliveries(tx, notifications, (within, deliveries, store) =>
      sendNew(within, deliveries, async (lease) => {
        queued.leased = lease.deliveryIds.size;
        queued.ids = [...(await store(lease))];
        return queued.ids;
      }),
    );
    await before(tx);
  });
  return queued;
}

/** Whether a sender knows of nothing that waits for this merchant. */
async function caughtUp(sender: TestSender, tenant: Tenant): Promise<Queued> {
  return eventually(async () => {
    sender.wake();
    const queued = await queue(sender, tenant);
    await eventually(() => expect(sender.sent).toEqual(expect.arrayContaining(queued.ids)));
    sender.answerOne();
    expect(queued.leased).toBe(1);
    return queued;
  });
}

function rowsOf({ merchantId }: Tenant): Promise<Record<string, unknown>[]> {
  return database.query(
    `SELECT id, status, attempts, lease_token IS NOT NULL AS leased, due_at <= now() AS due,
       due_at IS NOT DISTINCT FROM leased_until AS due_at_end
     FROM deliveries WHERE merchant_id = $1 ORDER BY id`,
    [merchantId],
  );
}

describe('a new delivery', () => {
  test('is stored with its lease, sent after the commit without a claim, and settled like any other', async () => {
    const sender = startTestSender();
    const tenant = await shop();
    await caughtUp(sender, await shop());
    const sentBefore = sender.sent.length;

    const { ids, leased } = await queue(sender, tenant, {
      before: async () => expect(sender.sent).toHaveLength(sentBefore),
    });
    const meanwhile = await rowsOf(tenant);
    sender.answerOne();
    await eventually(async () =>
      expect(await rowsOf(tenant)).toMatchObject([{ status: 'SUCCEEDED', attempts: 1, leased: false }]),
    );

    expect(leased).toBe(1);
    expect(meanwhile).toEqual([
      { id: ids[0], status: 'PENDING', attempts: 0, leased: true, due: false, due_at_end: true },
    ]);
    expect(sender.sent.slice(sentBefore)).toEqual(ids);
  });

  test('whose transaction fails is never sent, and leaves its place to others', async () => {
    const sender = startTestSender();
    const tenant = await shop();
    await caughtUp(sender, tenant);
    const sentBefore = sender.sent.length;

    for (let round = 0; round < rounds(20); round += 1) {
      const failing = queue(sender, tenant, { count: 2, before: () => Promise.reject(new Error('no')) });
      await expect(failing).rejects.toThrow('no');
    }
    const { ids, leased } = await queue(sender, tenant, { count: 2 });

    expect(leased).toBe(2);
    expect(new Set(sender.sent.slice(sentBefore))).toEqual(new Set(ids));
  });

  test('of a process that dies right after the commit is sent by another one once the lease is over', async () => {
    const dying = startTestSender(1_000);
    const tenant = await shop();
    await caughtUp(dying, await shop());
    // Its transaction is committed, and it never hears of it.
    const deaf = (tx: Transaction): Transaction => ({ ...tx, whenOver: () => undefined });
    const { ids, leased } = await queue(
      { sendNew: (tx, deliveries, store) => dying.sendNew(deaf(tx), deliveries, store) },
      tenant,
    );

    const other = startTestSender();
    // Nobody stops the one that died.
    senders = [other];
    await eventually(() => {
      other.wake();
      expect(other.sent).toEqual(expect.arrayContaining(ids));
    });

    expect(leased).toBe(1);
    expect(dying.sent).not.toContain(ids[0]);
  });

  test('that is committed while its sender stops is given back at once', async () => {
    const sender = startTestSender();
    const tenant = await shop();
    await caughtUp(sender, await shop());
    let stopped: Promise<void> | undefined;

    const { ids, leased } = await queue(sender, tenant, {
      before: async () => {
        stopped = sender.stop();
      },
    });
    await stopped;
    const left = await rowsOf(tenant);
    const other = startTestSender();
    await eventually(() => {
      other.wake();
      expect(other.sent).toEqual(expect.arrayContaining(ids));
    });

    expect(leased).toBe(1);
    expect(left).toMatchObject([{ status: 'PENDING', attempts: 0, leased: false, due: true }]);
    expect(sender.sent).not.toContain(ids[0]);
  });
});

describe('an endpoint that gave no answer in time', () => {
  test('gets no more places for an attempt that does not count', async () => {
    const sender = startTestSender();
    const tenant = await shop();
    await caughtUp(sender, tenant);
    const outcomes = [{ statusCode: null, failure: 'timeout' as const }, null, {}];
    const heldBack: number[] = [];

    for (const outcome of outcomes) {
      const { ids } = await queue(sender, tenant);
      await eventually(() => expect(sender.sent).toEqual(expect.arrayContaining(ids)));
      sender.answerOne(outcome);
      await new Promise(setImmediate);
      heldBack.push(sender.heldBack());
    }

    expect(heldBack).toEqual([1, 1, 0]);
  });
});

describe('what waits for a place', () => {
  test('is sent before what comes later, and then new deliveries are leased again', async () => {
    const sender = startTestSender();
    const tenant = await shop();
    await caughtUp(sender, tenant);
    const sentBefore = sender.sent.length;

    const queued = [await queue(sender, tenant, { count: 3 })];
    for (let later = 0; later < 5; later += 1) queued.push(await queue(sender, tenant));
    const ids = queued.flatMap((each) => each.ids);
    await eventually(() => {
      sender.answerOne();
      expect(sender.sent.slice(sentBefore)).toHaveLength(ids.length);
    });

    expect(queued.map(({ leased }) => leased)).toEqual([2, 0, 0, 0, 0, 0]);
    expect(new Set(sender.sent.slice(sentBefore, sentBefore + 3))).toEqual(new Set(queued[0]?.ids));
    expect(new Set(sender.sent.slice(sentBefore))).toEqual(new Set(ids));
    await caughtUp(sender, tenant);
  });

  test('is sent in the end although new deliveries take every place that is freed', async () => {
    const sender = startTestSender();
    const tenant = await shop();
    await caughtUp(sender, tenant);
    const gone: Pick<Sender, 'sendNew'> = {
      sendNew: async (_tx, _deliveries, store) => {
        await store({ token: newId(), ms: 0, deliveryIds: new Set() });
      },
    };
    await queue(sender, tenant, { count: 2 });

    const orphan = await queue(gone, tenant);
    await eventually(async () => {
      sender.wake();
      sender.answerOne();
      await queue(sender, tenant);
      expect(sender.sent).toEqual(expect.arrayContaining(orphan.ids));
    });
  });
});
