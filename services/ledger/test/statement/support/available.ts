import { expect } from '@jest/globals';
import { api } from '@plataforma/contracts';
import type { Tenant } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';
import { z } from 'zod';
import { merchantHeader } from '../../support/identity.ts';
import type { World } from '../../support/world.ts';

/** A day of settlement that is over. */
export const DUE = '2026-01-01T00:00:00.000Z';

export const envelope = z.object({
  data: z.array(api.getStatement.data),
  meta: z.looseObject({
    ...{ total: z.number(), openingBalance: z.number(), closingBalance: z.number() },
    next: z.string().optional(),
  }),
});

/** Reads the statement of the available balance at a world that is started by then. */
export function availableStatement(worldOf: () => World) {
  const ask = (tenant: Tenant, query: string, accept = 'application/json') =>
    fetch(`${worldOf().first.url}/v1/statement?view=available${query}`, {
      headers: { accept, ...merchantHeader(tenant) },
    });

  const read = async (tenant: Tenant, query = '&order=asc&limit=100') =>
    envelope.parse(await (await ask(tenant, query)).json());

  const fileOf = async (tenant: Tenant, query: string, accept = 'text/csv') =>
    Buffer.from(await (await ask(tenant, query, accept)).arrayBuffer());

  const untilSettled = (tenant: Tenant, pendingBalance = 0) =>
    eventually(async () => expect(await worldOf().balanceOf(tenant)).toMatchObject({ pendingBalance }));

  return { ask, read, fileOf, untilSettled };
}
