import { expect } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { clockMoved, eventually } from '@plataforma/testing';
import { z } from 'zod';
import type { World } from '../../support/world.ts';

export const DAY_MS = 86_400_000;
/** A settlement time in the past, so that card payments are due at once. */
export const DUE = '2026-01-01T00:00:00.000Z';

const period = z.looseObject({
  ...{ total: z.number(), openingBalance: z.number(), closingBalance: z.number() },
  next: z.string().optional(),
});

/**
 * Returns functions that read the statement of the available balance. The test environment may start after
 * this call.
 */
export function availableStatement(world: World) {
  const pathOf = (query: string) => `/v1/statement?view=available${query}`;

  const read = async (tenant: Tenant, query = '&order=asc&limit=100') => {
    const { rows, meta } = await world.readRows(tenant, pathOf(query));
    return { data: rows, meta: period.parse(meta) };
  };

  const fileOf = async (tenant: Tenant, query: string, accept = 'text/csv') =>
    (await world.download(tenant, pathOf(query), accept)).file;

  const untilSettled = (tenant: Tenant, pendingBalance = 0) =>
    eventually(async () => expect(await world.balanceOf(tenant)).toMatchObject({ pendingBalance }));

  const move = ({ merchantId }: Tenant, days: number) =>
    world.deliver(clockMoved(merchantId, { sandboxAheadMs: days * DAY_MS, version: days }));

  return { move, pathOf, read, fileOf, untilSettled };
}
