import { expect, test } from '@jest/globals';
import { closureOf, graphOf } from '../../src/house/graph.ts';
import { treeOf } from './support/tree.ts';

const CHARGES = 'services/charges/src';

test('a closure counts each file once, with or without packages', () => {
  const graph = graphOf(
    treeOf({
      [`${CHARGES}/pay.ts`]: `import { end } from './end.ts';\nimport { log } from '@plataforma/observe';\n`,
      [`${CHARGES}/end.ts`]: `import { pay } from './pay.ts';\n`,
      [`${CHARGES}/other.ts`]: 'const other = 1;\n',
      'packages/observe/src/index.ts': `export { write as log } from './log.ts';\nexport * from './x.ts';\n`,
      'packages/observe/src/log.ts': 'export function write() {\n}\n',
      'packages/observe/src/x.ts': 'export const x = 1;\n',
    }),
  );

  const closure = (isOwn: boolean) => closureOf(graph, `${CHARGES}/pay.ts`, { isOwn });
  expect(closure(true)).toEqual({ files: 2, lines: 3 });
  expect(closure(false)).toEqual({ files: 3, lines: 5 });
});

test('an imported name leads to the file that declares it', () => {
  const graph = graphOf(
    treeOf({
      [`${CHARGES}/pay.ts`]: `import { x, y, z } from '@plataforma/observe';`,
      'packages/observe/src/index.ts':
        `export const y = 1;\nexport { type X as x } from './x.ts';\n` + `export * from './z.ts';`,
      'packages/observe/src/x.ts': '',
      'packages/observe/src/z.ts': 'export const z = 1;',
    }),
  );

  expect([...(graph.followed.get(`${CHARGES}/pay.ts`) ?? [])]).toEqual([
    'packages/observe/src/x.ts',
    'packages/observe/src/index.ts',
    'packages/observe/src/z.ts',
  ]);
});
