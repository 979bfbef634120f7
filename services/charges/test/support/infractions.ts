import { expect } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import type { PaidCharge, RefundWorld } from './refund-world.ts';

export async function disputesIn(world: RefundWorld, { tenant }: PaidCharge) {
  const { data } = await world.call(tenant, '/v1/disputes');
  return Array.isArray(data) ? data : [];
}

/** The one dispute of a charge whose merchant has no other. */
export function oneDisputeOf(world: RefundWorld, charge: PaidCharge) {
  return eventually(async () => {
    const [dispute, ...more] = await disputesIn(world, charge);
    expect([dispute, more]).toEqual([expect.anything(), []]);
    return dispute;
  });
}

/** Resolves when every list of infractions has been asked for twice more, or nearly. */
export async function infractionsRead({ provider }: RefundWorld): Promise<void> {
  const read = () => provider.requests.filter((each) => each.operation === 'list-infractions').length;
  const before = read();
  await eventually(() => expect(read()).toBeGreaterThanOrEqual(before + 4));
}
