import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { anchorsOf, blocksOf, linksOf, readDocuments, root } from './documents.ts';

const documents = readDocuments();
const textOf = (path: string) => documents.get(path) ?? '';
const links = [...documents].flatMap(([path, text]) => linksOf(path, text));

const isThere = (path: string) =>
  access(join(root, path)).then(
    () => true,
    () => false,
  );

describe('the documents', () => {
  test('link only to files that there are', async () => {
    const missing = [];
    for (const { from, path } of links) if (!(await isThere(path))) missing.push(`${from}: ${path}`);

    expect(links.length).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });

  test('link only to sections that there are', () => {
    const missing = links.filter(
      ({ path, anchor }) => anchor !== undefined && !anchorsOf(textOf(path)).includes(anchor),
    );

    expect(missing).toEqual([]);
  });

  test('have the same commands in English and in Portuguese', () => {
    expect(blocksOf(textOf('docs/README.pt-BR.md'))).toEqual(blocksOf(textOf('README.md')));
    expect(blocksOf(textOf('docs/first-steps.pt-BR.md'))).toEqual(blocksOf(textOf('docs/first-steps.md')));
  });

  test('that a newcomer opens first are short', () => {
    const limits = new Map([...documents.keys()].flatMap((path) => limitOf(path)));
    const tooLong = [...limits].filter(([path, limit]) => textOf(path).split('\n').length - 1 > limit);

    expect(tooLong).toEqual([]);
  });
});

function limitOf(path: string): [string, number][] {
  if (path === 'README.md' || path === 'docs/README.pt-BR.md') return [[path, 120]];
  return /^(services\/[^/]+|packages\/chaos)\/README\.md$/.test(path) ? [[path, 80]] : [];
}
