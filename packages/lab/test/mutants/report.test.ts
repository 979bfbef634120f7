import { expect, test } from '@jest/globals';
import { type Outcome, reportOf } from '../../src/mutants/report.ts';

const file = 'services/ledger/src/domain/fee.ts';
const mutant = {
  id: 'a',
  file,
  line: 1,
  operator: 'logic',
  original: 'a || b;',
  mutated: 'a && b;',
  code: '',
};
const by = { file: 'services/ledger/test/fee.test.ts', test: 'a fee is taken' };

function report(...outcomes: Outcome[]) {
  const trials = outcomes.map((outcome) => ({ mutant, outcome, seconds: 4.2 }));
  return reportOf(trials, 'seed 7');
}

test('a mutant’s row names the test that caught it', () => {
  expect(report({ kind: 'caught', by })).toContain(
    '| services/ledger/src/domain/fee.ts:1 | logic | `` a \\|\\| b; `` | `` a && b; `` | fee.test.ts: a fee is taken | 4 |',
  );
});

test('survivors and unclear mutants do not count as caught', () => {
  const text = report(
    { kind: 'caught', by },
    { kind: 'survived' },
    { kind: 'unclear', by },
    { kind: 'hung' },
  );

  expect(text).toContain('Noticed 2 of 4, seed 7.');
  expect(text).toContain('**SURVIVED**');
  expect(text).toContain('**UNCLEAR**');
});
