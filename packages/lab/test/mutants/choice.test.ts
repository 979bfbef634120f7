import { expect, test } from '@jest/globals';
import { choose, serviceOf } from '../../src/mutants/choose.ts';
import { nearestFirst } from '../../src/mutants/order.ts';

const files = ['ledger', 'charges'].flatMap((service) =>
  ['fee', 'card', 'refund'].map((noun) => `services/${service}/src/domain/${noun}.ts`),
);
const operators = ['Boolean', 'Equality', 'Logical', 'Method', 'Block', 'Condition'];
const text = { line: 1, original: 'a', mutated: 'b', code: 'b' };
const mutants = files.flatMap((file) =>
  operators.map((operator) => ({ ...text, id: `${file} ${operator}`, file, operator })),
);
const idsOf = (chosen: readonly { id: string }[]) => chosen.map(({ id }) => id);

test('the same seed chooses the same mutants, another seed others', () => {
  const chosen = idsOf(choose(mutants, { seed: 1, count: 5 }));

  expect(idsOf(choose(mutants.toReversed(), { seed: 1, count: 5 }))).toEqual(chosen);
  expect(idsOf(choose(mutants, { seed: 2, count: 5 }))).not.toEqual(chosen);
});

test('the choice is spread over services, files and operators', () => {
  const chosen = choose(mutants, { seed: 1, count: 6 });

  expect(chosen.filter((mutant) => serviceOf(mutant) === 'ledger')).toHaveLength(3);
  expect(new Set(chosen.map(({ file }) => file)).size).toBe(6);
  expect(new Set(chosen.map(({ operator }) => operator)).size).toBe(6);
});

test('the choice never exceeds the number of mutants', () => {
  expect(choose(mutants, { seed: 1, count: 1_000 })).toHaveLength(mutants.length);
});

test('tests that import the file run first, then similar paths', () => {
  const test = (path: string, code = '') => ({ path: `services/charges/test/${path}`, code });
  const order = nearestFirst('services/charges/src/domain/refund-outcome.ts', [
    test('access.test.ts'),
    test('refunds/late.test.ts', 'a longer one'),
    test('refunds/list.test.ts'),
    test('refunds/outcome.test.ts'),
    test('table.test.ts', "import { x } from '../src/domain/refund-outcome.ts';"),
  ]);

  expect(order.map((path) => path.replace('services/charges/test/', ''))).toEqual([
    'table.test.ts',
    'refunds/outcome.test.ts',
    'refunds/list.test.ts',
    'refunds/late.test.ts',
    'access.test.ts',
  ]);
});
