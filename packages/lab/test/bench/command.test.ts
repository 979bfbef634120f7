import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { runCommand } from '../../src/bench/command.ts';
import { perSecond } from '../../src/bench/figures.ts';
import type { Benchmark, Measured } from '../../src/bench/run.ts';

const unhandledRun = fileURLToPath(new URL('support/unhandled-run.ts', import.meta.url));
const rows = [{ what: 'orders', value: perSecond(352) }];

interface Setting {
  names?: string[];
  isSaved?: boolean;
  limitMs?: number;
  /** The error with which the start of the platform fails. */
  refusal?: Error;
}

/** Runs benchmarks on fake platforms, which are numbered from 1. Returns all events of the run, in order. */
async function run(benchmarks: Benchmark<string>[], { names = [], isSaved, limitMs, refusal }: Setting = {}) {
  const events: string[] = [];
  const written: Measured[] = [];
  let opened = 0;
  const exitCode = await runCommand<string>(names, {
    benchmarks,
    ...(limitMs !== undefined && { limitMs }),
    ...(isSaved !== undefined && { isSaved }),
    async open() {
      if (refusal) throw refusal;
      opened += 1;
      const platform = `platform ${opened}`;
      return {
        platform,
        logs: () => [{ name: 'ledger', lines: [`the last line of ${platform}`] }],
        stop: async () => void events.push(`${platform} stops`),
      };
    },
    say: (text) => void events.push(text),
    write: async (measured) => void written.push(...measured),
  });
  return { exitCode, events, text: events.join('\n'), written: written.map(({ name }) => name) };
}

const sound = (name: string): Benchmark<string> => ({
  name,
  async measure(bench) {
    return { about: `${name} on ${await bench.platform()}`, rows };
  },
});

const broken = (name: string, message: string): Benchmark<string> => ({
  name,
  async measure(bench) {
    await bench.platform();
    throw new Error(message, { cause: new Error('the constraint was violated') });
  },
});

describe('a failing benchmark', () => {
  test('reports cause and service logs, and the next one runs', async () => {
    const { exitCode, events, text } = await run([
      sound('first'),
      broken('second', 'no rows came'),
      sound('third'),
    ]);

    expect(text).toMatch(
      /second failed: Error: no rows came[\s\S]+the constraint was violated[\s\S]+ledger\n +the last line of platform 2/,
    );
    expect(events.indexOf('platform 2 stops')).toBeGreaterThan(
      events.findIndex((line) => line.includes('last line')),
    );
    expect(text).toContain('third on platform 3');
    expect(events.at(-1)).toBe('Failed: second');
    expect(exitCode).toBe(1);
  });

  test('closes its resources in reverse before its platform stops', async () => {
    const order: string[] = [];
    const { text } = await run([
      {
        name: 'careless',
        async measure(bench) {
          bench.defer(() => order.push('first of two'));
          bench.defer(() => {
            throw new Error('it was closed already');
          });
          return sound('inner').measure(bench);
        },
      },
    ]);

    expect(order).toEqual(['first of two']);
    expect(text).toMatch(/platform 1 stops\ncareless failed: Error: it was closed already/);
  });

  test('writes no results, unlike a whole or a saved run', async () => {
    const failing = await run([sound('one'), broken('two', 'why')], { isSaved: true });
    const chosen = await run([sound('one'), sound('two')], { names: ['two'] });
    const saved = await run([sound('one'), sound('two')], { names: ['two'], isSaved: true });
    const whole = await run([sound('one'), sound('two')]);

    const written = [failing, chosen, saved, whole].map((one) => one.written);
    expect(written).toEqual([[], [], ['two'], ['one', 'two']]);
    expect([chosen, whole].map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(chosen.text).not.toContain('one on');
  });

  test('ends after its time limit with a message', async () => {
    const { promise: never } = Promise.withResolvers<never>();

    const { text, exitCode } = await run([{ name: 'endless', measure: () => never }], { limitMs: 10 });

    expect(text).toContain('endless failed: Error: not done after 0.01 s');
    expect(exitCode).toBe(1);
  });

  test('names the reason why its platform did not start', async () => {
    const { text, exitCode } = await run([sound('one')], { refusal: new Error('ledger did not start') });

    expect(text).toContain('one failed: Error: ledger did not start');
    expect(exitCode).toBe(1);
  });

  test('with an unhandled error is reported without ending the run', () => {
    const { status, stderr } = spawnSync(process.execPath, [unhandledRun], { encoding: 'utf8' });

    expect(stderr).toMatch(
      /event failed: Error: a connection broke[\s\S]+stopped in order[\s\S]+promise failed: Error: a request failed/,
    );
    expect(stderr).toMatch(/sound figures[\s\S]+Failed: event, promise\n$/);
    expect(stderr).not.toContain('written');
    expect(status).toBe(1);
  });
});

test('an unknown benchmark name runs nothing', async () => {
  const { exitCode, text } = await run([sound('one')], { names: ['one', 'oen'] });

  expect(text).toBe('There is no benchmark oen. The benchmarks: one');
  expect(exitCode).toBe(2);
});
