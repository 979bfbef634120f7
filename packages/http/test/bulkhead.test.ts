import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  createCallerBulkhead,
  createFormBulkhead,
  createSessionFormBulkhead,
  type Identity,
} from '../src/index.ts';

const merchant = (environment: 'sandbox' | 'production', merchantId: string = randomUUID()): Identity => ({
  ...{ kind: 'merchant', merchantId, environment, scopes: [] },
});

/** How many of so many that come at once are let in; none of them ends. */
async function letIn<Who>(inSlot: (who: Who, work: () => Promise<void>) => Promise<void>, callers: Who[]) {
  let count = 0;
  for (const who of callers) {
    inSlot(who, () => {
      count += 1;
      return new Promise(() => undefined);
    }).catch(() => undefined);
  }
  return count;
}

const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);

describe('slots by who calls', () => {
  test('are at most half those of sandboxes, however many there are', async () => {
    const inSlot = createFormBulkhead();

    expect(
      await letIn(
        inSlot,
        times(20, () => merchant('sandbox')),
      ),
    ).toBe(8);
    expect(
      await letIn(
        inSlot,
        times(20, () => merchant('production')),
      ),
    ).toBe(8);
  });

  test('are four for a merchant in each environment', async () => {
    const [inSlot, id] = [createFormBulkhead(), randomUUID()];

    expect(
      await letIn(
        inSlot,
        times(6, () => merchant('sandbox', id)),
      ),
    ).toBe(4);
    expect(
      await letIn(
        inSlot,
        times(6, () => merchant('production', id)),
      ),
    ).toBe(4);
  });

  test('are given back by a sandbox that was refused for want of its own', async () => {
    const inSlot = createCallerBulkhead({ total: 4, sandboxes: 2, perHolder: 1, full: 'full' });
    const id = randomUUID();
    for (let round = 0; round < 5; round += 1) await inSlot(merchant('sandbox', id), async () => undefined);

    expect(
      await letIn(
        inSlot,
        times(3, () => merchant('sandbox', id)),
      ),
    ).toBe(1);
    expect(
      await letIn(
        inSlot,
        times(3, () => merchant('sandbox')),
      ),
    ).toBe(1);
    expect(
      await letIn(
        inSlot,
        times(3, () => merchant('production')),
      ),
    ).toBe(2);
  });
});

test('who logs in again and again has half of the slots of sessions, and four by each', async () => {
  const inSlot = createSessionFormBulkhead();
  const from = (address: string, session: string = randomUUID()) => ({ address, session });

  expect(
    await letIn(
      inSlot,
      times(6, () => from('203.0.113.9', 'one')),
    ),
  ).toBe(4);
  expect(
    await letIn(
      inSlot,
      times(20, () => from('203.0.113.9')),
    ),
  ).toBe(4);
  expect(
    await letIn(
      inSlot,
      times(6, () => from('203.0.113.10')),
    ),
  ).toBe(6);
});
