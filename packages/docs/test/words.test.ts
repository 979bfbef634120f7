import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');

/** The files with Portuguese texts for merchants. */
const TEXTS = [
  'docs/guide/pt/*.md',
  '{docs,examples/shop}/*.pt-BR.md',
  'packages/{docs/site,cli/src/words}/**/*.{ts,tsx}',
  'packages/docs/texts/pt/*.json',
  'services/*/src/**/*.ts',
  'services/web/pages/**/*.{ts,tsx}',
  'packages/contracts/src/**/*.ts',
  'examples/shop/src/*.ts',
];

/** Returns the words to avoid: the last column of the table of Portuguese words in the guides' README. */
function avoided(): string[] {
  const [, table = ''] = /## Words in Portuguese\n([\s\S]*?)\n## /.exec(read('docs/guide/README.md')) ?? [];
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).flatMap((row) => (row.split('|')[3] ?? '').split(',').map((word) => word.trim()));
}

test('a term has one word in all Portuguese merchant texts', () => {
  const words = avoided().filter((word) => word !== '');
  const word = new RegExp(`(?<![\\p{L}_])(?:${words.join('|')})s?(?![\\p{L}_])`, 'iu');
  const files = globSync(TEXTS, { cwd: root, exclude: ['packages/contracts/src/search-words.ts'] });
  const found = files.flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => word.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );

  expect(words).toContain('estorno');
  expect(files.length).toBeGreaterThan(100);
  expect(found).toEqual([]);
});
