import { afterAll, afterEach, expect } from '@jest/globals';
import type { Transaction } from '@plataforma/data';
import { newId, type Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { beforeFile, openTestDatabase, silent } from '@plataforma/testing/world';
import { migrations } from '../../migrations/index.ts';
import type { Attempt, Delivery } from '../../src/domain/delivery.ts';
import { storeAndSendDeliveries } from '../../src/operations/store-and-send-deliveries.ts';
import { type Sender, startSender } from '../../src/sending/sender.ts';
import { newTenant } from './identity.ts';

const FAR_MS = 3_600_000;

interface TestSender extends Sender {
  sent: string[];
  /**
   * Ends the oldest open request with this result of the attempt. With null, the request ends without a
   * result, and no attempt is counted.
   */
  answerOne(as?: Partial<Attempt> | null): void;
}

interface Queued {
  ids: string[];
  /** The number of the stored deliveries that have a lease. */
  leased: number;
}

const CONFIGURE = `
  INSERT INTO configurations (id, merchant_id, environment, url, events, secret_key_id, secret_sealed)
  VALUES ($1, $2, $3, 'https://shop.example/', '{}', 'first', '')`;

/** Creates senders that share one database and run without a service. */
async function openSenderBench() {
  const { database } = await openTestDatabase(migrations);
  const running = new Set<TestSender>();

  /**
   * Starts a sender with eight slots for sandboxes. One healthy endpoint may use two of them. The test
   * answers the sender's requests.
   */
  function startTestSender(leaseMs = FAR_MS): TestSender {
    const sent: string[] = [];
    const pending: ((as: Partial<Attempt> | null) => void)[] = [];
    const stopping = Promise.withResolvers<null>();
    async function sendAttempt({ id }: Delivery): Promise<Attempt | null> {
      sent.push(id);
      const at = new Date();
      const attempt = { at, durationMs: 1, statusCode: 200, failure: null, responseBody: null };
      const { promise, resolve } = Promise.withResolvers<Attempt | null>();
      pending.push((as) => resolve(as && { ...attempt, ...as }));
      return Promise.race([promise, stopping.promise]);
    }
    const sender = startSender({
      ...{ database, log: silent, sendAttempt },
      cancelRequests: async () => stopping.resolve(null),
      pace: {
        limits: { total: 16, perEndpoint: 8 },
        leaseMs,
        drainMs: 0,
        retryDelaysMs: [],
        laterDelaysMs: [],
      },
    });
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= sender.stop());
    const started = { ...sender, stop, sent, answerOne: (as = {}) => pending.shift()?.(as) };
    running.add(started);
    return started;
  }

  async function shop(environment: Tenant['environment'] = 'sandbox'): Promise<Tenant> {
    const tenant = newTenant(environment);
    await database.query(CONFIGURE, [newId(), tenant.merchantId, tenant.environment]);
    return tenant;
  }

  /**
   * Stores events of a merchant with their deliveries, as the service does. The ids are new by default.
   * `before` runs before the commit.
   */
  async function queue(
    { storeWithLeases }: Pick<Sender, 'storeWithLeases'>,
    tenant: Tenant,
    {
      count = 1,
      ids = Array.from({ length: count }, newId),
      before = async (_tx: Transaction): Promise<void> => undefined,
    } = {},
  ): Promise<Queued> {
    const queued: Queued = { ids: [], leased: 0 };
    const events = ids.map((id) => ({
      ...{ ...tenant, id, type: 'charge.paid' as const, resourceId: newId() },
      ...{ sequence: 1, occurredAt: new Date().toISOString(), body: '{}', traceparent: null },
    }));
    await database.transaction(async (tx) => {
      await storeAndSendDeliveries(tx, events, (within, deliveries, store) =>
        storeWithLeases(within, deliveries, async (lease) => {
          queued.leased = lease.deliveryIds.size;
          queued.ids = [...(await store(lease))];
          return queued.ids;
        }),
      );
      await before(tx);
    });
    return queued;
  }

  /**
   * Waits until the sender knows that the merchant has no waiting delivery. A new delivery then gets a lease
   * when its event is stored.
   */
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

  return {
    database,
    startTestSender,
    shop,
    queue,
    caughtUp,
    rowsOf,
    /** Leaves a sender without stopping it after the test, as if its process had died. */
    abandon: (sender: TestSender) => void running.delete(sender),
    /** Stops the senders and deletes all deliveries. It runs after each test. */
    async clear() {
      await Promise.all([...running].map((sender) => sender.stop()));
      running.clear();
      await database.query('DELETE FROM deliveries');
    },
    close: () => database.close(),
  };
}

/** Creates the bench for a test file. It is cleared after each test. */
export function senderBenchOfFile(): SenderBench {
  const bench = beforeFile(openSenderBench);
  afterEach(() => bench.clear());
  afterAll(() => bench.close());
  return bench;
}

type SenderBench = Awaited<ReturnType<typeof openSenderBench>>;
