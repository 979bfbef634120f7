import { expect, test } from '@jest/globals';
import { linksOf, readDocuments } from './documents.ts';

const PATH = 'docs/security.md';
const [, behind = ''] = (readDocuments().get(PATH) ?? '').split(/^## ASVS 5\.0, level 2$/m);
const [section = ''] = behind.split(/^## /m);
const [tables = '', missing = ''] = section.split(/^### Missing$/m);

const rows = [...tables.matchAll(/^\| (V.+) \|$/gm)].map(([, text = '']) => {
  const [requirement = '', met = '', how = '', tests = '', ...others] = text
    .split(' | ')
    .map((cell) => cell.trim());
  return { number: requirement.split(' ')[0] ?? '', met, how, tests, others };
});
const words = ['yes', 'partly', 'no', 'not applicable'];

test('every row of the ASVS table has one of four words', () => {
  expect(rows.length).toBeGreaterThan(200);
  expect(rows.filter(({ met, others }) => !words.includes(met) || others.length > 0)).toEqual([]);
});

test('no requirement is in the ASVS table twice', () => {
  const numbers = rows.map(({ number }) => number);

  expect(numbers).toEqual([...new Set(numbers)].toSorted(byParts));
});

test('the paragraph above the ASVS table counts its rows', () => {
  const counts = words.map((word) => `${rows.filter(({ met }) => met === word).length} ${word}`);
  const paragraph = (tables.split(/^### /m)[0] ?? '').replaceAll('\n', ' ');

  expect(paragraph).toContain(`${rows.length} rows`);
  for (const count of counts) expect(paragraph).toMatch(new RegExp(`\\b${count}\\b`));
});

test('every met requirement has a test, or says why none is possible', () => {
  const isProven = ({ how, tests }: (typeof rows)[number]) =>
    linksOf(PATH, tests).some(({ path }) => path.endsWith('.test.ts')) || /; no test, because /.test(how);

  expect(rows.filter((row) => row.met === 'yes' && !isProven(row))).toEqual([]);
});

test('the missing list names each unmet requirement once', () => {
  const listed = [...missing.matchAll(/^- (V[\d.]+): /gm)].map(([, number = '']) => number);
  const gaps = rows.filter(({ met }) => met === 'partly' || met === 'no').map(({ number }) => number);

  expect(listed.toSorted(byParts)).toEqual(gaps);
});

/** Compares two ids such as V1.10.2 part by part, so that V1.10 comes after V1.9. */
function byParts(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
