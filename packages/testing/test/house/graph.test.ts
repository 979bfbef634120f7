import { expect, test } from '@jest/globals';
import { circlesIn, closureOf, graphOf, operationsImportingOperations } from '../../src/house/graph.ts';
import { treeOf } from './support/tree.ts';

const CHARGES = 'services/charges/src';

test('files that import each other in the end are one circle', () => {
  const graph = graphOf(
    treeOf({
      [`${CHARGES}/a.ts`]: `import { b } from './b.ts';`,
      [`${CHARGES}/b.ts`]: `import type { C } from './c.ts';`,
      [`${CHARGES}/c.ts`]: `export * from './a.ts';`,
      [`${CHARGES}/d.ts`]: `import { a } from './a.ts';`,
    }),
  );

  expect(circlesIn(graph)).toEqual([['a', 'b', 'c'].map((name) => `${CHARGES}/${name}.ts`)]);
});

test('two files that import the same third one are no circle', () => {
  const graph = graphOf(
    treeOf({
      [`${CHARGES}/a.ts`]: `import './b.ts';\nimport './c.ts';`,
      [`${CHARGES}/b.ts`]: `import './d.ts';`,
      [`${CHARGES}/c.ts`]: `import './d.ts';`,
      [`${CHARGES}/d.ts`]: '',
    }),
  );

  expect(circlesIn(graph)).toEqual([]);
});

test('an operation that imports another one is counted, and one that imports a store is not', () => {
  const graph = graphOf(
    treeOf({
      [`${CHARGES}/operations/pay.ts`]: `import { end } from './end.ts';\nimport { save } from '../store/save.ts';`,
      [`${CHARGES}/operations/end.ts`]: '',
      [`${CHARGES}/store/save.ts`]: '',
    }),
  );

  expect(operationsImportingOperations(graph)).toEqual([
    `${CHARGES}/operations/pay.ts → ${CHARGES}/operations/end.ts`,
  ]);
});

test('a closure has each file once, of its own service or with what it takes of packages', () => {
  const graph = graphOf(
    treeOf({
      [`${CHARGES}/pay.ts`]: `import { end } from './end.ts';\nimport { log } from '@plataforma/observe';\n`,
      [`${CHARGES}/end.ts`]: `import { pay } from './pay.ts';\n`,
      [`${CHARGES}/other.ts`]: 'const other = 1;\n',
      'packages/observe/src/index.ts': `export { write as log } from './log.ts';\nexport { x } from './x.ts';\n`,
      'packages/observe/src/log.ts': 'export function write() {\n}\n',
      'packages/observe/src/x.ts': 'export const x = 1;\n',
    }),
  );

  const closure = (isOwn: boolean) => closureOf(graph, `${CHARGES}/pay.ts`, { isOwn });
  expect(closure(true)).toEqual({ files: 2, lines: 3 });
  expect(closure(false)).toEqual({ files: 3, lines: 5 });
});

test('a name that an index makes itself leads to the index', () => {
  const graph = graphOf(
    treeOf({
      [`${CHARGES}/pay.ts`]: `import { x, y } from '@plataforma/observe';`,
      'packages/observe/src/index.ts': `export const y = 1;\nexport { type X as x } from './x.ts';`,
      'packages/observe/src/x.ts': '',
    }),
  );

  expect([...(graph.followed.get(`${CHARGES}/pay.ts`) ?? [])]).toEqual([
    'packages/observe/src/x.ts',
    'packages/observe/src/index.ts',
  ]);
});
