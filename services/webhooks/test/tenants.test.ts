import { expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import type { Sender } from '../src/sending/sender.ts';
import { senderBenchOfFile } from './support/sender-bench.ts';

const bench = senderBenchOfFile();

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
