import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { clockFaults } from '../../../src/chaos/faults/clock.ts';
import { processFaults } from '../../../src/chaos/faults/process.ts';
import { reviveEnded, withExclusive } from '../../../src/chaos/faults/replicas.ts';
import { fakeReplicas, hasty, stateOf } from '../support/fake-replica.ts';

const aReplica = fakeReplicas();
const [killed, allKilled, stopped, , restarted] = processFaults;

describe('a process', () => {
  test('that is killed is started again', async () => {
    const fake = await aReplica();

    const { what } = await killed.strike({ replicas: [fake.replica] }, hasty);

    expect(what).toBe('charges-1 gone for 0 ms');
    expect(fake.done).toEqual(['kill', 'kill', 'start']);
    expect(await stateOf(fake)).toMatch(/[RS]/);
  });

  test('is killed together with all others of its service', async () => {
    const [one, two] = [await aReplica(1), await aReplica(2)];

    const { what } = await allKilled.strike(
      { replicas: [one.replica, two.replica] },
      { ...hasty, pick: (of) => of[1] ?? hasty.pick(of) },
    );

    expect(what).toBe('charges-1, charges-2 gone for 0 ms');
    expect([one.done, two.done]).toEqual([
      ['kill', 'kill', 'start'],
      ['kill', 'kill', 'start'],
    ]);
  });

  test('that is paused stops and then continues', async () => {
    const fake = await aReplica();

    const striking = stopped.strike({ replicas: [fake.replica] }, hasty);
    await eventually(async () => expect(await stateOf(fake)).toBe('T'));
    await striking;

    await eventually(async () => expect(await stateOf(fake)).toBe('S'));
    expect(fake.done).toEqual([]);
  });

  test('that is restarted gets a stop request first', async () => {
    const fake = await aReplica();

    await restarted.strike({ replicas: [fake.replica] }, hasty);

    expect(fake.done).toEqual(['stop', 'fails', 'kill', 'start']);
  });

  test.each([
    [0, undefined],
    [1, 'charges-1 was told to stop, and ended with 1'],
    [null, 'charges-1 was told to stop, and ended by a signal'],
  ])('is judged after a stop request by its exit code %s', async (code, disorder) => {
    const fake = await aReplica(1, code);

    const struck = await restarted.strike({ replicas: [fake.replica] }, hasty);

    expect(struck.disorder).toBe(disorder);
    expect(fake.replica.deaths).toEqual([]);
  });

  test('is affected by one fault at a time', async () => {
    const [one, two] = [(await aReplica(1)).replica, (await aReplica(2)).replica];
    let hands = 0;
    const touch = async () => {
      hands += 1;
      expect(hands).toBe(1);
      await new Promise(setImmediate);
      hands -= 1;
    };

    await Promise.all([
      ...[withExclusive([one, two], touch), withExclusive([two, one], touch), withExclusive([one], touch)],
      ...[withExclusive([two, one], touch).then(() => withExclusive([one], touch))],
    ]);

    expect(hands).toBe(0);
  });

  test('has a wrong clock for a while', async () => {
    const fake = await aReplica();
    const [wrong] = clockFaults;
    const striking = wrong.strike({ replicas: [fake.replica] }, hasty);

    await eventually(async () => expect(await readFile(fake.replica.clockFile, 'utf8')).toBe('-30000'));
    await striking;

    await expect(readFile(fake.replica.clockFile)).rejects.toThrow('ENOENT');
  });
});

describe('a process that has ended', () => {
  test('is reported unless a fail point killed it, and restarted', async () => {
    const [own, signalled, killed, well] = await Promise.all([1, 2, 3, 4].map((number) => aReplica(number)));
    await own?.fails('exit 7');
    await signalled?.fails('kill -s KILL $$');
    await killed?.fails('kill -s KILL $$');
    const struck = { at: Date.now(), kind: 'killed', name: 'commit.due' };
    await writeFile(`${killed?.replica.failPointsFile}.log`, `${JSON.stringify(struck)}\n`);
    const fakes = [own, signalled, killed, well].filter((fake) => fake !== undefined);
    const replicas = fakes.map(({ replica }) => replica);

    await reviveEnded(replicas);

    const expected = [
      ['charges-1 has ended by itself, with 7'],
      ['charges-2 has ended by itself, by a signal'],
    ];
    expect(replicas.map(({ deaths }) => deaths)).toEqual([...expected, [], []]);
    for (const fake of fakes) expect(await stateOf(fake)).toMatch(/[RS]/);
    expect(well?.done).toEqual([]);
  });

  test('is reported and restarted before a fault ends it', async () => {
    const fake = await aReplica();
    await fake.fails('exit 7');

    await killed.strike({ replicas: [fake.replica] }, hasty);

    expect(fake.replica.deaths).toEqual(['charges-1 has ended by itself, with 7']);
    expect(fake.done).toEqual(['fails', 'kill', 'start', 'kill', 'kill', 'start']);
  });
});
