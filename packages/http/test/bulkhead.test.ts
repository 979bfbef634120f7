import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type Bulkhead, createBulkhead, type PoolName, pools } from '../src/index.ts';

type Holder = Parameters<Bulkhead>[0];
type Environment = 'sandbox' | 'production';

const tenant = (environment: Environment, merchantId: string = randomUUID()) => ({ merchantId, environment });
const names = Object.keys(pools).filter((name): name is PoolName => name in pools);

/** How many works of the holders are running; none of them ends. */
function running(inSlot: Bulkhead, holders: Holder[]): number {
  let count = 0;
  for (const holder of holders) {
    inSlot(holder, () => {
      count += 1;
      return new Promise(() => undefined);
    }).catch(() => undefined);
  }
  return count;
}

const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

describe.each(names)('the pool %s', (name) => {
  const { total, perHolder } = pools[name];
  const half = Math.floor(total / 2);

  test('leaves half of its slots to production when sandboxes fill it', () => {
    const inSlot = createBulkhead(name);

    expect(
      running(
        inSlot,
        times(total * 2, () => tenant('sandbox')),
      ),
    ).toBe(half);
    expect(
      running(
        inSlot,
        times(total * 2, () => tenant('production')),
      ),
    ).toBe(total - half);
  });

  test('never gives one account all slots of its class', () => {
    const [inSlot, id] = [createBulkhead(name), randomUUID()];
    const sandbox = running(
      inSlot,
      times(total, () => tenant('sandbox', id)),
    );

    expect(
      running(
        inSlot,
        times(total, () => tenant('production', id)),
      ),
    ).toBe(perHolder);
    expect(running(inSlot, [tenant('sandbox'), tenant('production')])).toBe(2);
    expect(sandbox).toBe(Math.min(perHolder, Math.ceil(half / 2)));
  });

  test('takes more than three accounts until the slots of all sandboxes are taken, or two where it has six', () => {
    const inSlot = createBulkhead(name);
    const accounts = times(total < 16 ? 2 : 3, randomUUID);
    for (const id of accounts)
      running(
        inSlot,
        times(total, () => tenant('sandbox', id)),
      );

    expect(running(inSlot, [tenant('sandbox')])).toBe(total < 16 ? 0 : 1);
  });

  test('counts operators and anonymous callers beside the accounts', () => {
    const inSlot = createBulkhead(name);
    running(
      inSlot,
      times(total, () => tenant('sandbox')),
    );
    const operator = { kind: 'operator', operatorId: randomUUID(), role: 'SUPPORT' } as const;

    expect(
      running(
        inSlot,
        times(total, () => operator),
      ),
    ).toBe(Math.min(perHolder, total - half));
  });
});

test('a slot is free again after its work, or after its refusal', async () => {
  const [inSlot, id] = [createBulkhead('forms'), randomUUID()];
  const { perHolder } = pools.forms;
  for (let round = 0; round < pools.forms.total * 2; round += 1) {
    await inSlot(tenant('sandbox', id), async () => undefined);
    await inSlot(tenant('sandbox', id), () => Promise.reject(new Error('failed'))).catch(() => undefined);
  }
  const open = Promise.withResolvers<void>();
  const held = times(perHolder, () => inSlot(tenant('sandbox', id), () => open.promise));
  for (let round = 0; round < pools.forms.total * 2; round += 1) {
    const refused = inSlot(tenant('sandbox', id), () => open.promise);
    await expect(refused).rejects.toMatchObject({ kind: 'unavailable', message: pools.forms.full });
  }
  open.resolve();
  await Promise.all(held);

  expect(
    running(
      inSlot,
      times(perHolder + 1, () => tenant('sandbox', id)),
    ),
  ).toBe(perHolder);
});
