import { expect, test } from '@jest/globals';
import { PLATFORM_ID } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { newTenant, worldOfFile } from '@plataforma/testing/world';
import { paid } from './support/emitter.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(startWorld);

test('another service’s chain head is stored and not sent to merchants', async () => {
  const tenant = newTenant();
  const shop = await world.startMerchant();
  await world.configure(tenant, { url: shop.url });
  const hash = 'ab'.repeat(32);
  await world.emitter.announce({
    ...{ type: 'chain.anchored.ledger', merchantId: PLATFORM_ID, environment: null },
    ...{ aggregateId: PLATFORM_ID, sequence: 7 },
    data: { chain: 'journal', epoch: 1, sequence: 7, hash, at: new Date().toISOString() },
  });
  await world.emitter.announce(paid(tenant));

  await eventually(async () =>
    expect(await world.database.query('SELECT service, chain, sequence, hash FROM chain_anchors')).toEqual([
      { service: 'ledger', chain: 'journal', sequence: 7, hash },
    ]),
  );
  await shop.waitFor(() => true);
  expect(await world.database.query('SELECT type FROM events')).toEqual([{ type: 'charge.paid' }]);
  expect(await world.database.query('SELECT id FROM dead_letters')).toEqual([]);
});
