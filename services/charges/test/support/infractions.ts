import { expect } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import type { PaidCharge, RefundWorld } from './refund-world.ts';

export async function disputesIn(world: RefundWorld, { tenant }: PaidCharge) {
  const { data } = await world.call(tenant, '/v1/disputes');
  return Array.isArray(data) ? data : [];
}

/** Waits until the merchant of the charge has exactly one dispute, and returns this dispute. */
export function oneDisputeOf(world: RefundWorld, charge: PaidCharge) {
  return eventually(async () => {
    const [dispute, ...more] = await disputesIn(world, charge);
    expect([dispute, more]).toEqual([expect.anything(), []]);
    return dispute;
  });
}

/** Waits until the service has read the lists of infractions about two more times. */
export async function infractionsRead({ provider }: RefundWorld): Promise<void> {
  const read = () => provider.requests.filter((each) => each.operation === 'list-infractions').length;
  const before = read();
  await eventually(() => expect(read()).toBeGreaterThanOrEqual(before + 4));
}
