import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { idOf } from '../../../packages/docs/src/markdown.ts';
import { guides } from '../pages/dashboard/guide/guides.ts';

const root = new URL('../../../docs/guide/', import.meta.url);

/** Pages of the API reference are generated, so they have no Markdown file that the test could read. */
const isGuide = (path: string) => path !== '' && !path.startsWith('reference/');

test.each([
  ['pt', guides['pt-BR']],
  ['en', guides.en],
] as const)('dashboard links to guides in %s lead to existing headings', (language, links) => {
  const paths = Object.values(links).map(({ to }) => to);
  const lost = paths.filter(isGuide).filter((path) => {
    const [slug = '', anchor] = path.split('#');
    const file = new URL(`${language}/${slug}.md`, root);
    if (!existsSync(file)) return true;
    const headings = readFileSync(file, 'utf8').matchAll(/^#{2,3} (.+)$/gm);
    return anchor !== undefined && ![...headings].some(([, text = '']) => idOf(text) === anchor);
  });

  expect(paths.length).toBeGreaterThan(10);
  expect(lost).toEqual([]);
});
