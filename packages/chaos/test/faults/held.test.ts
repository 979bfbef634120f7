import { appendFile, readFile, rm } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import type { Dice } from '../../src/dice.ts';
import { heldOrders } from '../../src/faults/held.ts';
import type { Behaviour, Link } from '../../src/network/link.ts';
import { type Fake, fakeReplicas, hasty, stateOf } from '../support/fake-replica.ts';

const aReplica = fakeReplicas();
const durations = { patienceMs: 5_000, leaseMs: 20, refusedMs: 20, restMs: 20, onTheWayMs: 20 };
/** They pick what comes first. */
const firstOf: Dice = {
  ...hasty,
  pick([first]) {
    if (first === undefined) throw new Error('nothing to pick from');
    return first;
  },
};
const refusals = ['pix.refund', 'card.refund', 'payout.create'].map((operation) => `${operation} refused`);

function worldOf(fakes: readonly Fake[], seen: string[]) {
  const linkOf = (name: string, kind: Link['kind']): Link => ({
    ...{ name, kind, port: 1, lostCommits: () => 0, stop: () => Promise.resolve() },
    behave: (how: Behaviour) => seen.push(`${name} ${how.kind}`),
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
      breaks: async (operation: string, fault: string) => seen.push(`${operation} ${fault}`),
      heals: async () => seen.push('heals'),
    },
  };
}

describe('an order is held', () => {
  test('before it leaves: its process stands still while the orders of others are refused', async () => {
    const fake = await aReplica();
    const { failPointsFile, process: own } = fake.replica;
    const seen: string[] = [];
    const [before] = heldOrders(durations);

    const striking = before.strike(worldOf([fake], seen), firstOf);
    const { points, action } = await eventually(async () =>
      JSON.parse(await readFile(failPointsFile, 'utf8')),
    );
    const mark = { at: Date.now(), kind: 'stopped', name: points[0] };
    await appendFile(`${failPointsFile}.log`, `${JSON.stringify(mark)}\n`);
    await rm(failPointsFile);
    process.kill(own.pid, 'SIGSTOP');

    expect(action).toBe('stop');
    expect(await striking).toMatchObject({ what: `charges-1 at ${points[0]}`, isInVain: false });
    expect(seen).toEqual([...refusals, 'heals']);
    await eventually(async () => expect(await stateOf(fake)).toBe('S'));
  });

  test('in vain where no process comes by, and then no order is refused', async () => {
    const seen: string[] = [];
    const [before] = heldOrders({ ...durations, patienceMs: 50 });

    const { isInVain, what } = await before.strike(worldOf([await aReplica()], seen), firstOf);

    expect(isInVain).toBe(true);
    expect(what).toMatch(/^charges at none of /);
    expect(seen).toEqual([]);
  });

  test('on the way to providers, and let go when orders are taken again', async () => {
    const seen: string[] = [];
    const [, onTheWay] = heldOrders(durations);

    await onTheWay.strike(worldOf([await aReplica()], seen), firstOf);

    const link = 'charges-1 → Pix provider';
    expect(seen).toEqual([`${link} is silent`, ...refusals, 'heals', `${link} passes`]);
  });
});
