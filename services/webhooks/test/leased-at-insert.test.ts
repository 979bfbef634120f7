import { describe, expect, test } from '@jest/globals';
import type { Transaction } from '@plataforma/data';
import { newId } from '@plataforma/kernel';
import { eventually, rounds } from '@plataforma/testing';
import type { Sender } from '../src/sending/sender.ts';
import { senderBenchOfFile } from './support/sender-bench.ts';

const bench = senderBenchOfFile();

describe('a new delivery', () => {
  test('is stored with a lease and sent after the commit', async () => {
    const sender = bench.startTestSender();
    const tenant = await bench.shop();
    await bench.caughtUp(sender, await bench.shop());
    const sentBefore = sender.sent.length;

    const { ids, leased } = await bench.queue(sender, tenant, {
      before: async () => expect(sender.sent).toHaveLength(sentBefore),
    });
    const meanwhile = await bench.rowsOf(tenant);
    sender.answerOne();
    await eventually(async () =>
      expect(await bench.rowsOf(tenant)).toMatchObject([{ status: 'SUCCEEDED', attempts: 1, leased: false }]),
    );

    expect(leased).toBe(1);
    expect(meanwhile).toEqual([
      { id: ids[0], status: 'PENDING', attempts: 0, leased: true, due: false, due_at_end: true },
    ]);
    expect(sender.sent.slice(sentBefore)).toEqual(ids);
  });

  test('is not sent when its transaction fails, and frees its slot', async () => {
    const sender = bench.startTestSender();
    const tenant = await bench.shop();
    await bench.caughtUp(sender, tenant);
    const sentBefore = sender.sent.length;

    for (let round = 0; round < rounds(20); round += 1) {
      const failing = bench.queue(sender, tenant, {
        count: 2,
        before: () => Promise.reject(new Error('no')),
      });
      await expect(failing).rejects.toThrow('no');
    }
    const { ids, leased } = await bench.queue(sender, tenant, { count: 2 });

    expect(leased).toBe(2);
    expect(new Set(sender.sent.slice(sentBefore))).toEqual(new Set(ids));
  });

  test('of a dead process is sent by another after the lease', async () => {
    const dying = bench.startTestSender(1_000);
    const tenant = await bench.shop();
    await bench.caughtUp(dying, await bench.shop());
    // Returns a transaction that commits without informing the sender, as if the sender's process had died.
    const deaf = (tx: Transaction): Transaction => ({ ...tx, whenOver: () => undefined });
    const { ids, leased } = await bench.queue(
      {
        storeWithLeases: (tx, deliveries, store) => dying.storeWithLeases(deaf(tx), deliveries, store),
      },
      tenant,
    );

    bench.abandon(dying);
    const other = bench.startTestSender();
    await eventually(() => {
      other.wake();
      expect(other.sent).toEqual(expect.arrayContaining(ids));
    });

    expect(leased).toBe(1);
    expect(dying.sent).not.toContain(ids[0]);
  });

  test('that is committed during its sender’s stop is released at once', async () => {
    const sender = bench.startTestSender();
    const tenant = await bench.shop();
    await bench.caughtUp(sender, await bench.shop());
    let stopped: Promise<void> | undefined;

    const { ids, leased } = await bench.queue(sender, tenant, {
      before: async () => {
        stopped = sender.stop();
      },
    });
    await stopped;
    const left = await bench.rowsOf(tenant);
    const other = bench.startTestSender();
    await eventually(() => {
      other.wake();
      expect(other.sent).toEqual(expect.arrayContaining(ids));
    });

    expect(leased).toBe(1);
    expect(left).toMatchObject([{ status: 'PENDING', attempts: 0, leased: false, due: true }]);
    expect(sender.sent).not.toContain(ids[0]);
  });
});

test('an endpoint with a timeout gets no slots for uncounted attempts', async () => {
  const sender = bench.startTestSender();
  const tenant = await bench.shop();
  await bench.caughtUp(sender, tenant);
  const outcomes = [{ statusCode: null, failure: 'timeout' as const }, null, {}];
  const slow: number[] = [];

  for (const outcome of outcomes) {
    const { ids } = await bench.queue(sender, tenant);
    await eventually(() => expect(sender.sent).toEqual(expect.arrayContaining(ids)));
    sender.answerOne(outcome);
    await new Promise(setImmediate);
    slow.push(sender.countSlow());
  }

  expect(slow).toEqual([1, 1, 0]);
});

describe('a delivery that waits for a slot', () => {
  test('is sent before later ones, which are then leased again', async () => {
    const sender = bench.startTestSender();
    const tenant = await bench.shop();
    await bench.caughtUp(sender, tenant);
    const sentBefore = sender.sent.length;

    const queued = [await bench.queue(sender, tenant, { count: 3 })];
    for (let later = 0; later < 5; later += 1) queued.push(await bench.queue(sender, tenant));
    const ids = queued.flatMap((each) => each.ids);
    await eventually(() => {
      sender.answerOne();
      expect(sender.sent.slice(sentBefore)).toHaveLength(ids.length);
    });

    expect(queued.map(({ leased }) => leased)).toEqual([2, 0, 0, 0, 0, 0]);
    expect(new Set(sender.sent.slice(sentBefore, sentBefore + 3))).toEqual(new Set(queued[0]?.ids));
    expect(new Set(sender.sent.slice(sentBefore))).toEqual(new Set(ids));
    await bench.caughtUp(sender, tenant);
  });

  test('is sent although new deliveries take every free slot', async () => {
    const sender = bench.startTestSender();
    const tenant = await bench.shop();
    await bench.caughtUp(sender, tenant);
    const gone: Pick<Sender, 'storeWithLeases'> = {
      storeWithLeases: async (_tx, _deliveries, store) => {
        await store({ token: newId(), ms: 0, deliveryIds: new Set() });
      },
    };
    await bench.queue(sender, tenant, { count: 2 });

    const orphan = await bench.queue(gone, tenant);
    await eventually(async () => {
      sender.wake();
      sender.answerOne();
      await bench.queue(sender, tenant);
      expect(sender.sent).toEqual(expect.arrayContaining(orphan.ids));
    });
  });
});

/** A fake sender that stores deliveries without leases. */
const busy: Pick<Sender, 'storeWithLeases'> = {
  storeWithLeases: async (_tx, _deliveries, store) => {
    await store({ token: newId(), ms: 0, deliveryIds: new Set() });
  },
};

test('production deliveries are sent while all sandbox endpoints hang', async () => {
  const sender = bench.startTestSender();
  await bench.caughtUp(sender, await bench.shop());
  const sandboxes = await Promise.all(Array.from({ length: 20 }, () => bench.shop()));
  for (const tenant of sandboxes) await bench.queue(sender, tenant, { count: 2 });
  const [stored, waiting] = [await bench.shop('production'), await bench.shop('production')];

  const { ids: late } = await bench.queue(busy, waiting);
  const { ids: fresh } = await bench.queue(sender, stored);
  sender.wake();

  await eventually(() => expect(sender.sent).toEqual(expect.arrayContaining([...late, ...fresh])));
  const rows = await Promise.all(sandboxes.map((tenant) => bench.rowsOf(tenant)));
  expect(rows.flat().filter(({ leased }) => leased)).toHaveLength(2);
});

test('a sandbox delivery is sent when another sandbox account frees its slot', async () => {
  const sender = bench.startTestSender();
  await bench.caughtUp(sender, await bench.shop());
  const sandboxes = await Promise.all(Array.from({ length: 6 }, () => bench.shop()));
  const queued: string[] = [];
  for (const tenant of sandboxes) queued.push(...(await bench.queue(sender, tenant)).ids);

  await eventually(() => {
    sender.answerOne();
    expect(sender.sent).toEqual(expect.arrayContaining(queued));
  });
});

test('a claim takes production deliveries before older sandbox ones', async () => {
  const sandbox = await bench.queue(busy, await bench.shop());
  const production = await bench.queue(busy, await bench.shop('production'));

  const sender = bench.startTestSender();

  await eventually(() => expect(sender.sent).toEqual([...production.ids, ...sandbox.ids]));
});
