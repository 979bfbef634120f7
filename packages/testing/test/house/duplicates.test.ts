import { expect, test } from '@jest/globals';
import { duplicatesIn } from '../../src/house/duplicates.ts';
import { statements } from './support/tree.ts';

const LEAST = { tokens: 20, lines: 4, words: 6 };
const found = (...texts: string[]) =>
  duplicatesIn(
    texts.map((text, at) => ({ path: `${at}.ts`, text })),
    LEAST,
  ).map(({ one, other }) => [one, other].map(({ path, from, to }) => `${path}:${from}-${to}`));

test('a block that is in two files is found once, from its first to its last line', () => {
  const block = statements(8);

  expect(found(`let first\n${block}`, `\nsecond(a);\nthird\n${block}last();\n`)).toEqual([
    ['0.ts:2-9', '1.ts:4-11'],
  ]);
});

test('a block that is twice in a file is found', () => {
  const block = statements(5);

  expect(found(`a\n${block}b()\n${block}`)).toEqual([['0.ts:2-6', '0.ts:8-12']]);
});

test('other literals and comments make no other block, and other names do', () => {
  const block = (literal: string, name: string) =>
    `function ${name}() {\n  const a = ${literal}; // ${literal}\n  const b = c(a);\n  return b.d(a, { e: ${literal} });\n}\n`;

  expect(found(block('1', 'f'), block('20', 'f'))).toEqual([['0.ts:1-5', '1.ts:1-5']]);
  expect(found(block('1', 'f').replaceAll('b', 'x'), block('1', 'f'))).toEqual([]);
});

test('imports, few lines and lists of texts are no blocks', () => {
  const imports = Array.from({ length: 9 }, (_, at) => `import { name${at} } from './file${at}.ts';\n`).join(
    '',
  );
  const list = `const list = [\n${"  'text',\n".repeat(30)}];\n`;
  const line = `${statements(9).replaceAll('\n', ' ')}\n`;

  for (const text of [imports, list, line]) expect(found(text, text)).toEqual([]);
});
