import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { type Dice, diceOf } from '../../src/dice.ts';
import { clockFaults } from '../../src/faults/clock.ts';
import { failPointFaults } from '../../src/faults/fail-point.ts';
import { processFaults } from '../../src/faults/process.ts';
import { holding, reviveEnded } from '../../src/faults/replicas.ts';
import type { Replica } from '../../src/world/world.ts';

let dir: string;
const ending: (() => unknown)[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plataforma-faults-'));
});

afterEach(async () => {
  for (const end of ending.splice(0)) await end();
  await rm(dir, { recursive: true });
});

interface Fake {
  replica: Replica;
  /** What was done to it. */
  done: string[];
  /** It ends by itself, as the script does. */
  fails(script: string): Promise<void>;
}

/** A process that can be stopped and killed, and does nothing else; told to stop, it ends with the code, or is killed. */
async function aReplica(number = 1, stopCode: number | null = 0): Promise<Fake> {
  const done: string[] = [];
  let child = spawn('sleep', ['600']);
  await once(child, 'spawn');
  const end = async (how: string) => {
    done.push(how);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  ending.push(() => end('over'));
  const fails = async (script: string) => {
    await end('fails');
    child = spawn('sh', ['-c', script]);
    await once(child, 'exit');
  };
  const process = {
    url: '',
    get pid() {
      return child.pid ?? 0;
    },
    get exitCode() {
      return child.exitCode;
    },
    async stop() {
      await end('stop');
      if (stopCode !== null) await fails(`exit ${stopCode}`);
    },
    kill: () => end('kill'),
    async start() {
      done.push('start');
      child = spawn('sleep', ['600']);
      await once(child, 'spawn');
    },
  };
  const fileOf = (what: string) => join(dir, `charges-${number}.${what}`);
  const files = { failPointsFile: fileOf('fail-points'), clockFile: fileOf('clock') };
  return { done, fails, replica: { service: 'charges', number, process, ...files, deaths: [] } };
}

/** Letters of proc(5): R runs, S sleeps, T is stopped. */
async function stateOf({ replica }: Fake): Promise<string | undefined> {
  return /\) (\w)/.exec(await readFile(`/proc/${replica.process.pid}/stat`, 'utf8'))?.[1];
}

/** A world of one process: whatever it passes needs no broker. */
const aloneWith = ({ replica }: Fake) => ({ replicas: [replica], brokerUrl: '', poison: new Set<string>() });

const [killed, allKilled, stopped, , restarted] = processFaults;
const hasty: Dice = { ...diceOf(1), int: (from) => from, named: () => hasty };

describe('a process', () => {
  test('that is killed runs again', async () => {
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

  test('that is stopped stands still, and goes on', async () => {
    const fake = await aReplica();

    const striking = stopped.strike({ replicas: [fake.replica] }, hasty);
    await eventually(async () => expect(await stateOf(fake)).toBe('T'));
    await striking;

    await eventually(async () => expect(await stateOf(fake)).toBe('S'));
    expect(fake.done).toEqual([]);
  });

  test('that is restarted is told to stop before', async () => {
    const fake = await aReplica();

    await restarted.strike({ replicas: [fake.replica] }, hasty);

    expect(fake.done).toEqual(['stop', 'fails', 'kill', 'start']);
  });

  test.each([
    [0, undefined],
    [1, 'charges-1 was told to stop, and ended with 1'],
    [null, 'charges-1 was told to stop, and ended by a signal'],
  ])('that is told to stop and ends with %s has ended in order, or it is told of', async (code, disorder) => {
    const fake = await aReplica(1, code);

    const struck = await restarted.strike({ replicas: [fake.replica] }, hasty);

    expect(struck.disorder).toBe(disorder);
    expect(fake.replica.deaths).toEqual([]);
  });

  test('is in the hands of one fault at a time, whoever else wants it with others', async () => {
    const [one, two] = [(await aReplica(1)).replica, (await aReplica(2)).replica];
    let hands = 0;
    const touch = async () => {
      hands += 1;
      expect(hands).toBe(1);
      await new Promise(setImmediate);
      hands -= 1;
    };

    await Promise.all([
      ...[holding([one, two], touch), holding([two, one], touch), holding([one], touch)],
      ...[holding([two, one], touch).then(() => holding([one], touch))],
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
  test('by itself, by whatever signal, is told of, one that met a fail point is not; all run again', async () => {
    const [own, signalled, killed, well] = await Promise.all([1, 2, 3, 4].map((number) => aReplica(number)));
    await own?.fails('exit 7');
    await signalled?.fails('kill -s KILL $$');
    await killed?.fails('kill -s KILL $$');
    const struck = { at: Date.now(), kind: 'killed', name: 'commit.due' };
    await writeFile(`${killed?.replica.failPointsFile}.log`, `${JSON.stringify(struck)}\n`);
    const fakes = [own, signalled, killed, well].filter((fake) => fake !== undefined);
    const replicas = fakes.map(({ replica }) => replica);

    await reviveEnded(replicas);

    const told = [['charges-1 has ended by itself, with 7'], ['charges-2 has ended by itself, by a signal']];
    expect(replicas.map(({ deaths }) => deaths)).toEqual([...told, [], []]);
    for (const fake of fakes) expect(await stateOf(fake)).toMatch(/[RS]/);
    expect(well?.done).toEqual([]);
  });

  test('by itself is told of when a fault comes to end it, too, which then finds it running', async () => {
    const fake = await aReplica();
    await fake.fails('exit 7');

    await killed.strike({ replicas: [fake.replica] }, hasty);

    expect(fake.replica.deaths).toEqual(['charges-1 has ended by itself, with 7']);
    expect(fake.done).toEqual(['fails', 'kill', 'start', 'kill', 'kill', 'start']);
  });
});

describe('a fail point', () => {
  /** Without those for which somebody must poison a queue. */
  const only = [
    'charge.stored',
    'charge.registered',
    'card.stored',
    'card.answered',
    'void.stored',
    'refund.stored',
  ] as const;
  /** It leaves out none. */
  const all: Dice = { ...hasty, oneIn: () => true, named: () => all };

  /** Does what a process does that meets its point. */
  async function comeBy({ replica }: Fake, signal: 'SIGKILL' | 'SIGSTOP'): Promise<string> {
    const file = replica.failPointsFile;
    const order = await eventually(async () => JSON.parse(await readFile(file, 'utf8')));
    const kind = signal === 'SIGKILL' ? 'killed' : 'stopped';
    const [point] = order.points;
    await appendFile(`${file}.log`, `${JSON.stringify({ at: Date.now(), kind, name: point })}\n`);
    await rm(file);
    process.kill(replica.process.pid, signal);
    return point;
  }

  test('kills a process, which runs again; none is met twice before all the others', async () => {
    const fake = await aReplica();
    const [kill] = failPointFaults({ seed: 0, only });
    const met: string[] = [];

    for (let strike = 0; strike < 2; strike += 1) {
      const striking = kill.strike(aloneWith(fake), all);
      for (let count = 0; count < 3; count += 1) met.push(await comeBy(fake, 'SIGKILL'));
      const told = met.slice(-3).map((point) => `charges-1 at ${point}`);
      expect(await striking).toMatchObject({ what: told.join(', '), isInVain: false });
    }

    expect(met.toSorted()).toEqual(only.toSorted());
    expect(fake.done.filter((what) => what === 'start')).toHaveLength(6);
    expect(await stateOf(fake)).toMatch(/[RS]/);
  });

  test('stops a process, which goes on', async () => {
    const fake = await aReplica();
    const [, stop] = failPointFaults({ seed: 0, only });

    const striking = stop.strike(aloneWith(fake), hasty);
    for (let count = 0; count < 3; count += 1) await comeBy(fake, 'SIGSTOP');
    await striking;

    await eventually(async () => expect(await stateOf(fake)).toBe('S'));
    expect(fake.done).toEqual([]);
  });

  test('is met by the first of the replicas only; one that was as quick goes on at once', async () => {
    const [one, two] = [await aReplica(1), await aReplica(2)];
    const [, stop] = failPointFaults({ seed: 0, only: ['charge.stored'], patienceMs: 1_000 });
    const slow: Dice = { ...hasty, int: (_from, to) => Math.min(to, 3_000), named: () => slow };
    const replicas = [one.replica, two.replica];

    const striking = stop.strike({ replicas, brokerUrl: '', poison: new Set<string>() }, slow);
    await Promise.all([comeBy(one, 'SIGSTOP'), comeBy(two, 'SIGSTOP')]);
    await eventually(async () => expect(await stateOf(two)).toBe('S'));

    expect(await stateOf(one)).toBe('T');
    const { what } = await striking;
    expect(what).toMatch(/^charges-1 at charge.stored/);
    expect(await stateOf(one)).toBe('S');
  });

  test('that another replica has met is taken back', async () => {
    const [one, two] = [await aReplica(1), await aReplica(2)];
    const [kill] = failPointFaults({ seed: 0, only: ['charge.stored'], patienceMs: 1_000 });
    const replicas = [one.replica, two.replica];

    const striking = kill.strike({ replicas, brokerUrl: '', poison: new Set<string>() }, hasty);
    await comeBy(two, 'SIGKILL');
    const { what } = await striking;

    expect(what).toMatch(/^charges-2 at charge.stored/);
    expect(one.done).toEqual([]);
    await expect(readFile(one.replica.failPointsFile)).rejects.toThrow('ENOENT');
  });

  test('that nobody meets is taken back', async () => {
    const fake = await aReplica();
    const [kill] = failPointFaults({ seed: 0, only, patienceMs: 200 });

    const { what, isInVain } = await kill.strike(aloneWith(fake), hasty);

    expect(isInVain).toBe(true);
    expect(what).toMatch(/^(charges at none of [\w., ]+){3}$/);
    await expect(readFile(fake.replica.failPointsFile)).rejects.toThrow('ENOENT');
    expect(fake.done).toEqual([]);
  });
});
