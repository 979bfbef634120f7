import { expect, test } from '@jest/globals';
import { readReference } from '../src/reference/pages.ts';
import { written } from '../src/reference/written.ts';
import { markdownIn, readTexts } from '../src/translation.ts';

test('each reference text has exactly one current Portuguese translation', async () => {
  const shown = new Set<string>();
  written(readReference(), (english) => {
    shown.add(english);
    return english;
  });
  const translated = (await readTexts()).map(([english]) => english);

  expect([...shown].filter((english) => !translated.includes(english))).toEqual([]);
  expect(translated.filter((english) => !shown.has(english))).toEqual([]);
  expect(translated.filter((english, index) => translated.indexOf(english) !== index)).toEqual([]);
});

/**
 * Matches the parts of a text that a translation must not change: code, links, placeholders, names of the
 * API, and numbers. Names match even if they are not marked as code.
 */
const NAMES =
  /`[^`]*`|\]\([^)]*\)|\{\w+\}|[\w?/]*[a-z][A-Z]\w*|\b[A-Za-z]+-[A-Z][\w-]*|\b[a-z]+(?:[._][a-z]+)+|\/v1\/[\w/-]+|\b[A-Z][A-Z_\d]{2,}\b|(?<![\w.])\d+(?:[.,]\d+)*/g;

/**
 * Returns the code, links, names and numbers in a text. Separators are removed from numbers, because the
 * English `1,825` is `1.825` in Portuguese.
 */
function namesIn(text: string): string[] {
  const names = [...text.matchAll(NAMES)].map(([name]) =>
    /^\d/.test(name) ? name.replace(/[.,]/g, '') : name,
  );
  return [...new Set(names)].sort();
}

test('both languages have the same names, numbers and code', async () => {
  const texts = await readTexts();
  const differ = texts.filter(
    ([english, portuguese]) => namesIn(english).join(' ') !== namesIn(portuguese).join(' '),
  );

  expect(
    namesIn('`a` {id} externalId X-Request-Id charge.paid /v1/charges NOT_FOUND PAID 1,825'),
  ).toHaveLength(9);
  expect(differ.map(([, portuguese]) => portuguese)).toEqual([]);
});

test('Markdown prose is translated, names and fenced code stay', () => {
  const markdown =
    '## Cards\n\nRead\nit.\n\n| Status | |\n| --- | --- |\n| PAID | is paid |\n\n```sql\nSELECT a\n\nFROM b\n```\n\nEnd.';

  expect(markdownIn(markdown, (text) => `<${text}>`)).toBe(
    '## <Cards>\n\n<Read it.>\n\n| <Status> | |\n| --- | --- |\n| PAID | <is paid> |\n\n```sql\nSELECT a\n\nFROM b\n```\n\n<End.>',
  );
});
