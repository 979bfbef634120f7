import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { mutations } from './mutations.ts';
import { type Roll, type RollOptions, rolls, type Upgraded, upgradeOrder } from './upgrade/steps.ts';

export const USAGE = `npm run chaos -- [--minutes 3] [--seed N] [--runs 1] [--at-once 1]
npm run chaos -- --mutations | --mutation NAME
npm run chaos -- --races 1000 [--seed N]
npm run chaos -- --upgrade [COMMIT] [--roll services|replicas] [--side-by-side 60]
                 [--stop-first SERVICE] [--seed N]
  --minutes    the time in which faults strike, over all runs
  --seed       the seed of the first run; each later run has the next number
  --runs       the number of runs, each with a new platform
  --at-once    the number of runs at the same time; one run needs two cores
  --mutations  removes one safeguard from the platform in each run of a minute, and requires that
               the run fails
  --races      runs only this many races at payment links while faults strike: Pix against card
               against a second tab against the end of the code
  --upgrade    starts the release of a commit, by default the last one, and replaces it by this one
               while clients continue
  --roll       services: one service after the other, as operators do it; replicas: first one replica
               of each service, then the others, as Kubernetes does it with the chart
  --side-by-side  the fewest seconds for which both releases run
  --stop-first    services, separated by commas: all replicas of each stop before the first new one starts
Several runs, all mutations, races and upgrades write packages/lab/src/chaos/RESULTS.md.
Mutations: ${mutations.map(({ name }) => name).join(', ')}`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = {
  ...{ minutes: text, seed: text, runs: text, 'at-once': text, mutation: text, mutations: flag, races: text },
  ...{ upgrade: flag, roll: text, 'side-by-side': text, 'stop-first': text, help: flag },
} as const;

export type Command =
  | { kind: 'help' }
  | { kind: 'faults'; first: number; runs: number; atOnce: number; seconds: number }
  | { kind: 'races'; seed: number; races: number }
  | { kind: 'mutations'; first: number; names: readonly string[] }
  /** The commit whose release is replaced. Null means the last release. */
  | ({ kind: 'upgrade'; seed: number; commit: string | null } & RollOptions);

/** Parses the command line. Throws an error whose message is meant for the user. */
export function readOptions(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help) return { kind: 'help' };
  const seed = wholeOf('seed', values.seed, randomInt(1, 1_000_000));
  const timing = values.minutes ?? values.runs ?? values['at-once'];
  const others = timing ?? values.mutation ?? values.mutations;
  if (values.races !== undefined) return racesOf(values.races, { seed, others: others ?? values.upgrade });
  if (values.upgrade) {
    if (others !== undefined) throw new Error('an upgrade has its own duration: omit the other options');
    return { kind: 'upgrade', seed, commit: commitIn(positionals), ...rollOptionsOf(values) };
  }
  if ((positionals[0] ?? values.roll ?? values['side-by-side'] ?? values['stop-first']) !== undefined)
    throw new Error('a commit, --roll, --side-by-side and --stop-first need --upgrade');
  const names = mutations.flatMap(({ name }) => (values.mutations || name === values.mutation ? [name] : []));
  if (values.mutation && names.length === 0) throw new Error(`there is no mutation ${values.mutation}`);
  if (names.length > 0 && timing !== undefined)
    throw new Error('a mutation has its own duration: omit --minutes, --runs and --at-once');
  if (names.length > 0) return { kind: 'mutations', first: seed, names };
  const runs = wholeOf('runs', values.runs, 1);
  const atOnce = wholeOf('at-once', values['at-once'], 1);
  const seconds = (numberOf('minutes', values.minutes, 3) * 60) / runs;
  return { kind: 'faults', first: seed, runs, atOnce, seconds };
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options: options, allowPositionals: true });
}

function racesOf(races: string, { seed, others }: { seed: number; others: unknown }): Command {
  if (others !== undefined) throw new Error('races have their own duration: omit the other options');
  return { kind: 'races', seed, races: wholeOf('races', races, 1) };
}

function commitIn([commit, ...more]: readonly string[]): string | null {
  if (more.length > 0) throw new Error('an upgrade takes one commit');
  return commit ?? null;
}

function numberOf(name: string, given: string | undefined, otherwise: number): number {
  const value = given === undefined ? otherwise : Number(given);
  if (!(value > 0 && value < 1e9)) throw new Error(`--${name} must be a positive number`);
  return value;
}

function wholeOf(name: string, given: string | undefined, otherwise: number): number {
  const value = numberOf(name, given, otherwise);
  if (!Number.isInteger(value)) throw new Error(`--${name} must be a whole number`);
  return value;
}

function rollOptionsOf(values: ReturnType<typeof parse>['values']): RollOptions {
  const seconds = numberOf('side-by-side', values['side-by-side'], 60);
  const stopFirst = (values['stop-first'] ?? '').split(',').filter((name) => name !== '');
  return { roll: rollOf(values.roll), sideBySideMs: seconds * 1_000, stopFirst: stopFirst.map(upgradedOf) };
}

function upgradedOf(name: string): Upgraded {
  const service = upgradeOrder.find((one) => one === name);
  if (!service) throw new Error(`--stop-first names services: ${upgradeOrder.join(', ')}`);
  return service;
}

function rollOf(given = 'services'): Roll {
  const roll = rolls.find((one) => one === given);
  if (!roll) throw new Error(`--roll is one of ${rolls.join(', ')}`);
  return roll;
}
