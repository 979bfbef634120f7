import { expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { startCheckoutWorld } from '../support/checkout-world.ts';
import { holdLock } from '../support/crashes.ts';

const world = worldOfFile(() => startCheckoutWorld());

const CROWD = 30;
const WAITING = `
  SELECT count(*)::integer AS waiting FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%payment_links%'`;

test('many waiting buyers of a link use one database connection', async () => {
  const shop = world.newShop();
  const link = await world.newLink(shop);
  const buyers = await Promise.all(Array.from({ length: CROWD }, () => world.buyer(link.slug)));
  const lock = await holdLock(world.database, 'SELECT 1 FROM payment_links WHERE id = $1 FOR UPDATE', [
    link.id,
  ]);

  const starts = buyers.map((buyer) => buyer.byPix());
  await lock.isAwaited();
  const charge = await world.client.newCharge(shop);
  const [row] = await world.database.query<{ waiting: number }>(WAITING);
  await lock.release();
  const answers = await Promise.all(starts);

  expect(charge).toMatchObject({ status: 'PENDING' });
  expect(row?.waiting).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual(buyers.map(() => 200));
});
