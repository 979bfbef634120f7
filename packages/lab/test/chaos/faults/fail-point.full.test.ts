import { appendFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually, testSigners } from '@plataforma/testing';
import type { Dice } from '../../../src/chaos/dice.ts';
import { failPointFaults } from '../../../src/chaos/faults/fail-point.ts';
import { type Fake, fakeReplicas, hasty, stateOf } from '../support/fake-replica.ts';

const aReplica = fakeReplicas();

/** A world without a broker. Only fail points that need an invalid message use the broker. */
const worldOf = (...fakes: Fake[]) => ({
  replicas: fakes.map(({ replica }) => replica),
  brokerUrl: '',
  poison: new Set<string>(),
  signers: testSigners,
});

describe('a fail point', () => {
  /** Fail points that a process can reach without an invalid message. */
  const only = [
    'charge.stored',
    'charge.registered',
    'card.stored',
    'card.answered',
    'void.stored',
    'refund.stored',
  ] as const;
  /** Random values that make the fault choose every fail point. */
  const all: Dice = { ...hasty, oneIn: () => true, named: () => all };

  async function comeBy(fake: Fake, signal: 'SIGKILL' | 'SIGSTOP'): Promise<string> {
    return strike(fake, { signal, point: await orderedPoint(fake) });
  }

  async function orderedPoint({ replica }: Fake): Promise<string> {
    const order = await eventually(async () => JSON.parse(await readFile(replica.failPointsFile, 'utf8')));
    return order.points[0];
  }

  /**
   * Acts like a process that reaches an armed fail point: removes the file, records the point and gets the
   * signal.
   */
  function strike(
    { replica }: Fake,
    { signal, point }: { signal: 'SIGKILL' | 'SIGSTOP'; point: string },
  ): string {
    const kind = signal === 'SIGKILL' ? 'killed' : 'stopped';
    rmSync(replica.failPointsFile, { force: true });
    const mark = JSON.stringify({ at: Date.now(), kind, name: point });
    appendFileSync(`${replica.failPointsFile}.log`, `${mark}\n`);
    process.kill(replica.process.pid, signal);
    return point;
  }

  test('kills a process, and repeats only after all other points', async () => {
    const fake = await aReplica();
    const [kill] = failPointFaults({ seed: 0, only });
    const met: string[] = [];

    for (let strike = 0; strike < 2; strike += 1) {
      const striking = kill.strike(worldOf(fake), all);
      for (let count = 0; count < 3; count += 1) met.push(await comeBy(fake, 'SIGKILL'));
      const expected = met.slice(-3).map((point) => `charges-1 at ${point}`);
      expect(await striking).toMatchObject({ what: expected.join(', '), isInVain: false });
    }

    expect(met.toSorted()).toEqual(only.toSorted());
    expect(fake.done.filter((what) => what === 'start')).toHaveLength(6);
    expect(await stateOf(fake)).toMatch(/[RS]/);
  });

  test('pauses a process, which then continues', async () => {
    const fake = await aReplica();
    const [, stop] = failPointFaults({ seed: 0, only });

    const striking = stop.strike(worldOf(fake), hasty);
    for (let count = 0; count < 3; count += 1) await comeBy(fake, 'SIGSTOP');
    await striking;

    await eventually(async () => expect(await stateOf(fake)).toBe('S'));
    expect(fake.done).toEqual([]);
  });

  test('pauses only the first replica, and others continue at once', async () => {
    const [one, two] = [await aReplica(1), await aReplica(2)];
    const [, stop] = failPointFaults({ seed: 0, only: ['charge.stored'], maxWaitMs: 1_000 });
    const slow: Dice = { ...hasty, int: (_from, to) => Math.min(to, 3_000), named: () => slow };

    const striking = stop.strike(worldOf(one, two), slow);
    const [point] = await Promise.all([orderedPoint(one), orderedPoint(two)]);
    for (const fake of [one, two]) strike(fake, { signal: 'SIGSTOP', point });
    await eventually(async () => expect(await stateOf(two)).toBe('S'));

    expect(await stateOf(one)).toBe('T');
    const { what } = await striking;
    expect(what).toMatch(/^charges-1 at charge.stored/);
    expect(await stateOf(one)).toBe('S');
  });

  test('that another replica reached is disarmed', async () => {
    const [one, two] = [await aReplica(1), await aReplica(2)];
    const [kill] = failPointFaults({ seed: 0, only: ['charge.stored'], maxWaitMs: 1_000 });

    const striking = kill.strike(worldOf(one, two), hasty);
    await comeBy(two, 'SIGKILL');
    const { what } = await striking;

    expect(what).toMatch(/^charges-2 at charge.stored/);
    expect(one.done).toEqual([]);
    await expect(readFile(one.replica.failPointsFile)).rejects.toThrow('ENOENT');
  });

  test('that no process reaches is disarmed', async () => {
    const fake = await aReplica();
    const [kill] = failPointFaults({ seed: 0, only, maxWaitMs: 200 });

    const { what, isInVain } = await kill.strike(worldOf(fake), hasty);

    expect(isInVain).toBe(true);
    expect(what).toMatch(/^(charges at none of [\w., ]+){3}$/);
    await expect(readFile(fake.replica.failPointsFile)).rejects.toThrow('ENOENT');
    expect(fake.done).toEqual([]);
  });
});
