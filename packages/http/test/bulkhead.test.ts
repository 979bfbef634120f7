import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { type Bulkhead, createBulkhead, type PoolName, pools } from '../src/index.ts';
import type { Pool } from '../src/pools.ts';

type Holder = Parameters<Bulkhead>[0];
type Environment = 'sandbox' | 'production';

const tenant = (environment: Environment, merchantId: string = randomUUID()) => ({ merchantId, environment });
const names = Object.keys(pools).filter((name): name is PoolName => name in pools);

/** Starts one endless item of work for each holder. Returns the number of holders that got a slot. */
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

/** Pools whose slots sandboxes use only for a short time, or not at all. */
const quick: readonly string[] = ['requests', 'callbacks', 'inspectedEvidence'];

describe.each(names)('the pool %s', (name) => {
  const { total, perHolder }: Pool = pools[name];
  const half = Math.floor(total / 2);

  test('leaves half of its slots to production', () => {
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
    expect(sandbox).toBeLessThanOrEqual(Math.min(perHolder, half / 2));
  });

  test('needs many accounts to fill the slots of sandboxes', () => {
    const inSlot = createBulkhead(name);
    for (let account = 1; account < (quick.includes(name) ? 4 : 20); account += 1) {
      const id = randomUUID();
      running(
        inSlot,
        times(total, () => tenant('sandbox', id)),
      );
    }

    expect(running(inSlot, [tenant('sandbox')])).toBe(1);
  });

  test('counts operators beside the accounts', () => {
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

test('a slot is free again after its work or a refusal', async () => {
  const [inSlot, id] = [createBulkhead('evidence'), randomUUID()];
  const { perHolder } = pools.evidence;
  for (let round = 0; round < pools.evidence.total * 2; round += 1) {
    await inSlot(tenant('production', id), async () => undefined);
    await inSlot(tenant('production', id), () => Promise.reject(new Error('failed'))).catch(() => undefined);
  }
  const open = Promise.withResolvers<void>();
  const inSlots = times(perHolder, () => inSlot(tenant('production', id), () => open.promise));
  for (let round = 0; round < pools.evidence.total * 2; round += 1) {
    const refused = inSlot(tenant('production', id), () => open.promise);
    await expect(refused).rejects.toMatchObject({ kind: 'unavailable', message: pools.evidence.full });
  }
  open.resolve();
  await Promise.all(inSlots);

  expect(
    running(
      inSlot,
      times(perHolder + 1, () => tenant('production', id)),
    ),
  ).toBe(perHolder);
});

test('five concurrent files of each sandbox are all sent', async () => {
  const inSlot = createBulkhead('forms');
  const ids = times(3, randomUUID);
  const files = ids.flatMap((id) => times(5, () => inSlot(tenant('sandbox', id), async () => 'sent')));

  expect(await Promise.all(files)).toEqual(Array(15).fill('sent'));
});

test('eight requests of a busy account wait, the next is refused', async () => {
  const [inSlot, id] = [createBulkhead('forms'), randomUUID()];
  const open = Promise.withResolvers<void>();
  const works = times(pools.forms.perHolder + 9, () => inSlot(tenant('production', id), () => open.promise));

  await expect(works.at(-1)).rejects.toMatchObject({ kind: 'unavailable', message: pools.forms.full });
  open.resolve();
  expect(await Promise.all(works.slice(0, -1))).toHaveLength(pools.forms.perHolder + 8);
});

test('sandboxes fill half of the slots and queue, and production passes', async () => {
  const inSlot = createBulkhead('buyerPayments');
  const { total, waiting } = pools.buyerPayments;
  let refused = 0;
  for (const sandbox of times(total + waiting.total, () => tenant('sandbox'))) {
    inSlot(sandbox, () => new Promise(() => undefined)).catch(() => {
      refused += 1;
    });
  }
  await new Promise((passed) => setImmediate(passed));

  expect(refused).toBe((total + waiting.total) / 2);
  expect(
    running(
      inSlot,
      times(total / 2, () => tenant('production')),
    ),
  ).toBe(total / 2);
});

test.each(['buyers', 'buyerReads', 'buyerPages', 'buyerForms'] as const)(
  'forty networks leave slots of %s to others',
  (name) => {
    const inSlot = createBulkhead(name);
    for (let network = 1; network <= 40; network += 1)
      running(
        inSlot,
        times(pools[name].total, () => ({ network: `192.0.2.${network}` })),
      );

    expect(running(inSlot, [{ network: '198.51.100.1' }])).toBe(1);
  },
);

test('waiting requests of an account start with the least busy network', async () => {
  const inSlot = createBulkhead('buyerPayments');
  const shop = tenant('production');
  const { perHolder } = pools.buyerPayments;
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const pay = (network: number) => {
    const work = () => {
      begun.push(network);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    return inSlot(shop, work, { network });
  };
  const crowd = Array.from({ length: perHolder + 20 }, () => pay(1));

  const other = pay(2);
  ends.shift()?.();
  await eventually(() => expect(begun).toEqual([...Array(perHolder).fill(1), 2]));
  await eventually(() => {
    for (const end of ends.splice(0)) end();
    expect(begun).toHaveLength(perHolder + 21);
  });
  for (const end of ends.splice(0)) end();
  await Promise.all([...crowd, other]);
});
