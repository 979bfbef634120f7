import { expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { sharedCheckoutWorld } from '../support/checkout-world.ts';

const world = worldOfFile(sharedCheckoutWorld);

test('a link expires at midnight in its account’s time zone', async () => {
  const shop = { ...world.shop(), timeZone: 'America/Manaus' };
  const { id, expiresAt } = await world.newLink(shop, { expiresAt: '2036-01-01' });
  await world.callAs(shop, `PATCH /v1/payment-links/${id}`, { expiresAt: '2036-02-01' });

  expect(expiresAt).toBe('2036-01-02T04:00:00.000Z');
  expect((await world.link(shop, id)).expiresAt).toBe('2036-02-02T04:00:00.000Z');
  const old = await world.newLink(world.shop(), { expiresAt: '2036-01-01' });
  expect(old.expiresAt).toBe('2036-01-02T00:00:00.000Z');
});
