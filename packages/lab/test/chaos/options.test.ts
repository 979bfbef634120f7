import { describe, expect, test } from '@jest/globals';
import { readOptions } from '../../src/chaos/options.ts';

describe('a command line', () => {
  test('selects faults in runs of equal length', () => {
    expect(readOptions(['--minutes', '60', '--runs', '20', '--seed', '7'])).toEqual({
      ...{ kind: 'faults', first: 7, runs: 20, atOnce: 1, seconds: 180 },
    });
  });

  test('selects one mutation or all', () => {
    const all = readOptions(['--mutations', '--seed', '1']);

    expect(readOptions(['--mutation', 'inbox key', '--seed', '1'])).toEqual({
      ...{ kind: 'mutations', first: 1, names: ['inbox key'] },
    });
    expect(all).toMatchObject({
      kind: 'mutations',
      names: expect.arrayContaining(['inbox key', 'one refund']),
    });
  });

  test('selects a number of races at payment links', () => {
    expect(readOptions(['--races', '1000', '--seed', '3'])).toEqual({ kind: 'races', seed: 3, races: 1_000 });
  });

  test('selects an upgrade from a commit or the last release', () => {
    const rollOptions = { roll: 'services', sideBySideMs: 60_000, stopFirst: [] };
    const plain = { kind: 'upgrade', seed: 1, commit: null, ...rollOptions };
    const given = ['--roll', 'replicas', '--side-by-side', '5', '--stop-first', 'charges,gateway'];

    expect(readOptions(['--upgrade', '--seed', '1'])).toEqual(plain);
    expect(readOptions(['--upgrade', '0ef9f95', ...given, '--seed', '1'])).toEqual({
      ...{ ...plain, commit: '0ef9f95' },
      ...{ roll: 'replicas', sideBySideMs: 5_000, stopFirst: ['charges', 'gateway'] },
    });
  });

  test.each([
    [['--minutes', 'few'], '--minutes must be a positive number'],
    [['--runs', '1.5'], '--runs must be a whole number'],
    [['--mutation', 'nothing'], 'there is no mutation nothing'],
    [['--mutations', '--runs', '2'], 'a mutation has its own duration: omit --minutes, --runs and --at-once'],
    [['--races', '10', '--minutes', '2'], 'races have their own duration: omit the other options'],
    [['--races', '0'], '--races must be a positive number'],
    [['--upgrade', '--minutes', '2'], 'an upgrade has its own duration: omit the other options'],
    [['--upgrade', 'a', 'b'], 'an upgrade takes one commit'],
    [['--upgrade', '--roll', 'dice'], '--roll is one of services, replicas'],
    [['--upgrade', '--stop-first', 'sandbox-psp'], '--stop-first names services: webhooks, ledger, '],
    [['0ef9f95'], 'a commit, --roll, --side-by-side and --stop-first need --upgrade'],
    [['--unknown'], "Unknown option '--unknown'"],
  ])('%j is refused', (args, problem) => {
    expect(() => readOptions(args)).toThrow(problem);
  });
});
