import { appendFile, readFile, rm } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import type { Dice } from '../../../src/chaos/dice.ts';
import { blockedOrders } from '../../../src/chaos/faults/blocked-orders.ts';
import type { Behaviour, Link } from '../../../src/chaos/network/link.ts';
import { type Fake, fakeReplicas, hasty, stateOf } from '../support/fake-replica.ts';

const aReplica = fakeReplicas();
const durations = { maxWaitMs: 5_000, leavesMs: 20, leaseMs: 20, refusedMs: 20, restMs: 20 };
const firstOf: Dice = {
  ...hasty,
  pick([first]) {
    if (first === undefined) throw new Error('nothing to pick from');
    return first;
  },
};
const refusals = ['pix.refund', 'card.refund', 'payout.create'].map((operation) => `${operation} refused`);

function worldOf(fakes: readonly Fake[], events: string[]) {
  const linkOf = (name: string, kind: Link['kind']): Link => ({
    ...{ name, kind, port: 1, lostCommits: () => 0, stop: () => Promise.resolve() },
    behave: (how: Behaviour) => events.push(`${name} ${how.kind}`),
  });
  return {
    replicas: fakes.map(({ replica }) => replica),
    links: [
      linkOf('charges-1 → Pix provider', 'provider'),
      linkOf('charges-1 → database', 'database'),
      linkOf('charges-2 → Pix provider', 'provider'),
    ],
    refusals: [] as { from: number; to: number }[],
    bank: {
      breaks: async (operation: string, fault: string) => events.push(`${operation} ${fault}`),
      heals: async () => events.push('heals'),
    },
  };
}

/** Acts like a process that reaches an armed fail point: records the point and stops. Returns the point. */
async function comeBy({ replica: { failPointsFile, process: own } }: Fake): Promise<string> {
  const { points, action } = await eventually(async () => JSON.parse(await readFile(failPointsFile, 'utf8')));
  expect(action).toBe('stop');
  const mark = { at: Date.now(), kind: 'stopped', name: points[0] };
  await appendFile(`${failPointsFile}.log`, `${JSON.stringify(mark)}\n`);
  await rm(failPointsFile);
  process.kill(own.pid, 'SIGSTOP');
  return points[0];
}

describe('a blocked order', () => {
  test('is stopped before it leaves while other orders are refused', async () => {
    const fake = await aReplica();
    const events: string[] = [];
    const world = worldOf([fake], events);
    const [before] = blockedOrders(durations);

    const striking = before.strike(world, firstOf);
    const point = await comeBy(fake);

    expect(await striking).toMatchObject({ what: `charges-1 at ${point}`, isInVain: false });
    expect(events).toEqual([...refusals, 'heals']);
    expect(world.refusals).toEqual([{ from: expect.any(Number), to: expect.any(Number) }]);
    await eventually(async () => expect(await stateOf(fake)).toBe('S'));
  });

  test('needs a process at a fail point, or nothing is refused', async () => {
    const events: string[] = [];
    const [before] = blockedOrders({ ...durations, maxWaitMs: 50 });

    const { isInVain, what } = await before.strike(worldOf([await aReplica()], events), firstOf);

    expect(isInVain).toBe(true);
    expect(what).toMatch(/^charges at none of /);
    expect(events).toEqual([]);
  });

  test('is stopped on its way until the provider accepts orders', async () => {
    const fake = await aReplica();
    const events: string[] = [];
    const [, onTheWay] = blockedOrders({ ...durations, refusedMs: 3_000 });

    const striking = onTheWay.strike(worldOf([fake], events), firstOf);
    await comeBy(fake);
    await eventually(() => expect(events).toHaveLength(1 + refusals.length));

    expect(await stateOf(fake)).toBe('T');
    await striking;
    const link = 'charges-1 → Pix provider';
    expect(events).toEqual([`${link} is silent`, ...refusals, 'heals', `${link} passes`]);
    await eventually(async () => expect(await stateOf(fake)).toBe('S'));
  });
});
