import { expect, test } from '@jest/globals';
import type { Tenant } from '@plataforma/kernel';
import { createWaitingReaders } from '../../src/feed/waiting-readers.ts';
import { newTenant } from '../support/identity.ts';

test('long polls of sandboxes leave half of the slots to production', async () => {
  const readers = createWaitingReaders();
  const nothing = async () => ({ items: [] });
  const wait = (tenant: Tenant) =>
    readers.wait({ tenant, waitMs: 60_000, whenGone: () => undefined }, nothing).then(
      () => 'waited',
      () => 'refused',
    );
  const fill = (environment: Tenant['environment']) =>
    Array.from({ length: 260 }, () => newTenant(environment)).flatMap((tenant) =>
      [1, 2, 3, 4].map(() => wait(tenant)),
    );
  const [sandbox, production] = [fill('sandbox'), fill('production')];
  readers.stop();
  const waited = async (ends: Promise<string>[]) =>
    (await Promise.all(ends)).filter((end) => end === 'waited').length;

  expect([await waited(sandbox), await waited(production)]).toEqual([512, 512]);
});
