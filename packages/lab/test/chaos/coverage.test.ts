import { expect, test } from '@jest/globals';
import { missedIn, possible } from '../../src/chaos/coverage.ts';
import type { RunReport } from '../../src/chaos/run.ts';

const nothing: RunReport = {
  ...{
    seed: 1,
    seconds: 60,
    played: new Map(),
    aborted: new Map(),
    dataDir: '',
    calls: new Map(),
    acknowledged: 0,
    unknownOutcomes: [],
  },
  servers: { postgres: '', rabbitmq: '' },
  ...{ findings: [], open: [], deaths: [] },
  strikes: [],
  situations: new Map([['charges that expired', 0]]),
  failPoints: new Set(),
};

test('a situation of no run is missing unless it is optional', () => {
  const missed = missedIn([nothing, nothing]);

  expect(missed).toEqual(
    expect.arrayContaining([
      'broker killed',
      'charges at refund.stored',
      'late delivery result fenced',
      'charges that expired',
    ]),
  );
  for (const name of ['charges at late_card.found', 'charges at late_card.answered']) {
    expect(missed).not.toContain(name);
    expect(possible.points).toContain(name);
  }
});

test('a situation of one run is not missing', () => {
  const some: RunReport = {
    ...nothing,
    strikes: [{ faults: [{ name: 'broker killed', group: 'broker' }], what: '', recoveryMs: 1 }],
    situations: new Map([
      ['charges that expired', 2],
      ['late delivery result fenced', 1],
    ]),
    failPoints: new Set(['charges at refund.stored']),
  };

  const missed = missedIn([nothing, some]);

  for (const name of ['broker killed', 'charges at refund.stored', ...some.situations.keys()])
    expect(missed).not.toContain(name);
  expect(missed).toContain('database killed');
});
