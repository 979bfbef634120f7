import { expect, test } from '@jest/globals';
import { violation } from '../../src/chaos/check/finding.ts';
import type { RunReport } from '../../src/chaos/run.ts';
import { tableOf, tableOfMutations } from '../../src/chaos/table.ts';

const broker = { name: 'broker killed', group: 'broker' } as const;
const clock = { name: 'clock jumps', group: 'clock' } as const;

const quiet: RunReport = {
  ...{
    seed: 7,
    seconds: 120,
    played: new Map(),
    aborted: new Map(),
    dataDir: '',
    servers: { postgres: '18.4', rabbitmq: '3.10.8' },
  },
  calls: new Map([
    ['create-charge', 30],
    ['read-balance', 10],
  ]),
  acknowledged: 35,
  strikes: [
    { faults: [broker], what: '', recoveryMs: 1_000 },
    { faults: [broker, clock], what: '', recoveryMs: 4_000 },
    { faults: [broker], what: '', recoveryMs: 2_000 },
    { faults: [], what: 'in vain', recoveryMs: 2_000 },
  ],
  findings: [],
  open: [],
  deaths: [],
  situations: new Map([['disputes that were lost', 2]]),
  failPoints: new Set(['charges at charge.registered']),
  unknownOutcomes: [],
};

test('the table sums all runs and shows recovery by fault', () => {
  const lines = tableOf([quiet, { ...quiet, seed: 8, seconds: 60 }]).split('\n');

  expect(lines).toEqual(
    expect.arrayContaining([
      '| Runs | 2, seeds 7, 8; faults for 3 minutes |',
      '| Operations | 80 calls, 70 of them acknowledged |',
      expect.stringMatching(/^\| Faults \| 6; processes killed at 1 of \d+ fail points \|$/),
      '| Invariant violations | 0 |',
      '| Recovery | p50 2.0 s, max 4.0 s |',
      '| broker: broker killed | 6 | p50 2.0 s, max 4.0 s |',
      '| clock: clock jumps | 2 | p50 4.0 s, max 4.0 s |',
      '| disputes that were lost | 4 |',
      '| late delivery result fenced | 0 |',
    ]),
  );
  expect(lines.join()).not.toContain('NOT RECOVERED');
});

test('the table shows violations and faults without a recovery', () => {
  const strikes = [...quiet.strikes, { faults: [clock], what: '', recoveryMs: null }];
  const findings = [violation(1, 'a wallet'), { invariant: 9, kind: 'lost', what: 'a charge' } as const];

  const lines = tableOf([{ ...quiet, strikes, findings }]).split('\n');

  expect(lines).toEqual(
    expect.arrayContaining([
      '| Invariant violations | 1 |',
      '| Acknowledged, but lost | 1 |',
      '| Duplicate effects | 0 |',
      '| clock: clock jumps | 2 | p50 4.0 s, max 4.0 s |',
      'NOT RECOVERED: 1',
    ]),
  );
});

test('the mutations’ table shows the finding that caught each one', () => {
  const mutation = (name: string) => ({ name, breaks: `${name} guards` });

  const table = tableOfMutations([
    { mutation: mutation('one'), words: 'a|b' },
    { mutation: mutation('two'), words: null },
  ]);

  expect(table.split('\n').slice(2)).toEqual([
    '| one | one guards | caught: a\\|b |',
    '| two | two guards | NOT CAUGHT |',
  ]);
});
