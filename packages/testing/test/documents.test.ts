import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { anchorsOf, blocksOf, linksOf, publicNamesOf, readDocuments, root } from './documents.ts';

const packageExports = z.object({ exports: z.record(z.string(), z.string()) });
const documents = readDocuments();
const textOf = (path: string) => documents.get(path) ?? '';
const links = [...documents].flatMap(([path, text]) => linksOf(path, text));

const isThere = (path: string) =>
  access(join(root, path)).then(
    () => true,
    () => false,
  );

describe('the documents', () => {
  test('link only to existing files', async () => {
    const missing = [];
    for (const { from, path } of links) if (!(await isThere(path))) missing.push(`${from}: ${path}`);

    expect(links.length).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });

  test('link only to existing sections', () => {
    const missing = links.filter(
      ({ path, anchor }) => anchor !== undefined && !anchorsOf(textOf(path)).includes(anchor),
    );

    expect(missing).toEqual([]);
  });

  test('name a test for each rule between services', () => {
    const path = 'docs/security.md';
    const [rules = ''] = textOf(path).split(/^## ASVS /m);
    const lines = rules.split('\n').filter((line) => /^\| (?!-|.* \| Test +\|$)/.test(line));
    const isTest = (file: string) => /\/test\/.+\.test\.ts$/.test(file);
    const unheld = lines.filter((line) => {
      const tests = line.split(' | ').at(-1) ?? '';
      return !linksOf(path, tests).some(({ path: file }) => isTest(file));
    });

    expect(lines.length).toBeGreaterThan(9);
    expect(unheld).toEqual([]);
  });

  test('have the same commands in English and in Portuguese', () => {
    expect(blocksOf(textOf('docs/README.pt-BR.md'))).toEqual(blocksOf(textOf('README.md')));
    expect(blocksOf(textOf('docs/first-steps.pt-BR.md'))).toEqual(blocksOf(textOf('docs/first-steps.md')));
  });

  test('of the guide have the same structure in both languages', () => {
    const pages = [...documents.keys()].filter((path) => /^docs\/guide\/(pt|en)\//.test(path));
    const twin = (path: string) =>
      path.includes('/pt/') ? path.replace('/pt/', '/en/') : path.replace('/en/', '/pt/');
    const unlike = pages.filter((path) => shapeOf(textOf(path)) !== shapeOf(textOf(twin(path))));

    expect(pages.length).toBeGreaterThan(20);
    expect(unlike).toEqual([]);
  });

  test('of packages mention only exported names', async () => {
    const gone = [];
    for (const [path, text] of documents) {
      const names = publicNamesOf(text);
      if (names.length === 0) continue;
      const exported = await exportsOf(dirname(path));
      gone.push(...names.filter((name) => !exported.has(name)).map((name) => `${path}: ${name}`));
    }

    expect(gone).toEqual([]);
  });

  test('named README stay within their line limits', () => {
    const limits = new Map([...documents.keys()].flatMap((path) => limitOf(path)));
    const tooLong = [...limits].filter(([path, limit]) => textOf(path).split('\n').length - 1 > limit);

    expect(tooLong).toEqual([]);
  });
});

/**
 * Returns all words in the files that a package exports, and in the files that they re-export with `export
 * *`.
 */
async function exportsOf(folder: string): Promise<ReadonlySet<string>> {
  const manifest = packageExports.parse(
    JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')),
  );
  const names = Object.values(manifest.exports).map(async (file) => {
    const text = await readFile(join(root, folder, file), 'utf8');
    const passedOn = [...text.matchAll(/^export \* from '(.+)'/gm)].map(async ([, path = '']) => {
      const declared = await readFile(join(root, folder, dirname(file), path), 'utf8');
      return [...declared.matchAll(/^export (?:async )?\w+ (\w+)/gm)].map(([, name = '']) => name);
    });
    return [...(text.match(/\w+/g) ?? []), ...(await Promise.all(passedOn)).flat()];
  });
  return new Set((await Promise.all(names)).flat());
}

/**
 * Returns the structure of a document: how many headings and table rows it has, and the first and last lines
 * of its code blocks.
 */
function shapeOf(text: string): string {
  const headings = text.match(/^##+ /gm) ?? [];
  const fences = text.match(/^```.*$/gm) ?? [];
  const rows = text.match(/^\|/gm) ?? [];
  return [headings.length, rows.length, ...fences].join('\n');
}

function limitOf(path: string): [string, number][] {
  if (path === 'README.md') return [[path, 120]];
  // The Portuguese document may have more lines, because a text in Portuguese is longer.
  if (path === 'docs/README.pt-BR.md') return [[path, 135]];
  return /^(services|packages)\/[^/]+\/README\.md$/.test(path) ? [[path, 110]] : [];
}
