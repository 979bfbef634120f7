import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { worldOfFile } from '@plataforma/testing/world';
import { brokenPromises } from './support/books.ts';
import { paid } from './support/emitter.ts';
import { newTenant } from './support/identity.ts';
import { sharedWorld } from './support/world.ts';

const world = worldOfFile(sharedWorld);

describe('an event that can’t be posted', () => {
  test.each([
    ['with a fee above its amount', { amount: 2_500, feeAmount: 2_600, netAmount: 0 }],
    ['with a net amount that contradicts its fee', { amount: 2_500, feeAmount: 25, netAmount: 2_500 }],
    ['with text that the database refuses', { externalId: 'a\u0000b' }],
    ['with an amount beyond the safe integers', { amount: Number.MAX_SAFE_INTEGER, feeAmount: 0 }],
  ])('%s becomes a dead letter, and its neighbours are posted', async (_what, changes) => {
    const tenant = newTenant();
    const poison = paid(tenant, changes);
    const around = (count: number) => Array.from({ length: count }, () => paid(tenant));

    await world.emitter.announce(...around(30), poison, ...around(30));

    await eventually(async () =>
      expect(await world.balanceOf(tenant)).toMatchObject({ totalEarned: 150_000 }),
    );
    const dead = await eventually(async () => {
      const letters = await world.deadLetters();
      expect(letters).toHaveLength(1);
      return letters;
    });
    expect(JSON.parse(dead[0] ?? '')).toMatchObject({ type: 'charge.paid', data: { id: poison.data.id } });
    expect(await world.balanceOf(tenant)).toMatchObject({
      availableBalance: 60 * 2_475,
      totalFeesPaid: 60 * 25,
    });
    expect(await brokenPromises(world.database)).toEqual([]);
  });

  test.each([
    ['is not JSON', 'hello'],
    ['is not an event', '{"type":"charge.paid"}'],
    ['is of an unknown type', JSON.stringify({ ...eventOf('charge.stolen') })],
    ['is of a type without a posting', JSON.stringify(expired())],
    ['lacks its environment', JSON.stringify({ ...eventOf('charge.paid'), environment: null })],
  ])('because it %s becomes a dead letter without blocking others', async (_what, body) => {
    const tenant = newTenant();

    await world.send(body);
    await world.emitter.announce(paid(tenant));

    await eventually(async () => expect(await world.balanceOf(tenant)).toMatchObject({ totalEarned: 2_500 }));
    await eventually(async () => expect(await world.deadLetters()).toEqual([body]));
  });
});

/** Returns a valid event of the charges service to which the ledger does not subscribe. */
function expired() {
  const event = eventOf('charge.expired');
  return { ...event, data: { ...event.data, status: 'EXPIRED', paidAt: null } };
}

function eventOf(type: string) {
  const { merchantId, environment, aggregateId, sequence, data } = paid(newTenant());
  const envelope = { id: newId(), version: 1, occurredAt: '2026-11-21T12:00:00.000Z', traceparent: null };
  return { ...envelope, type, merchantId, environment, aggregateId, sequence, data };
}
