import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { exceptions } from '../../src/words/exceptions.ts';
import { faultsOfText, longLinesOf, wordsOf } from '../../src/words/rules.ts';
import type { Text } from '../../src/words/texts.ts';

const words = wordsOf(`
| Use | For | Not in names | Not in text |
|---|---|---|---|
| \`require\` | throws | \`…demand…\` | |
| \`find\` | reads | \`look…\`, \`known\` | looks? for |
| \`listener\` | a port | \`…door…\` | doors?, patience |
`);

const rulesOf = (kind: Text['kind'], text: string) =>
  faultsOfText(words, { kind, line: 7, text }).map(({ rule }) => rule);

describe('a name', () => {
  test.each(['demandText', 'canDemand', 'lookUp', 'known', 'FRONT_DOOR', '#door'])(
    '%s is reported',
    (name) => {
      expect(rulesOf('name', name)).toEqual(['name']);
    },
  );

  test.each(['required', 'outlook', 'onLook', 'isKnown', 'doorbells'])('%s is allowed', (name) => {
    expect(rulesOf('name', name)).toEqual([]);
  });
});

describe('a sentence', () => {
  test.each([
    'What is due.',
    'Whose rows it says.',
    'Of a run.',
    '(By name.)',
    'In it are rows.',
    'Who pays.',
  ])('is reported for its opening: %s', (text) => {
    expect(rulesOf('comment', text)).toEqual(['opening']);
    expect(rulesOf('prose', text)).toEqual(['opening']);
    expect(rulesOf('message', text)).toEqual(['opening']);
  });

  test.each(['What do you need?', 'Offers a row.', 'Whole rows, byte by byte.', '`What` is a word.'])(
    'is allowed: %s',
    (text) => {
      expect(rulesOf('prose', text)).toEqual([]);
    },
  );

  test('is reported for avoided words outside of code', () => {
    expect(rulesOf('message', 'the relay looks for rows')).toEqual(['word']);
    expect(rulesOf('cell', 'behind closed doors')).toEqual(['word']);
    expect(rulesOf('prose', 'see `doors` in [the list](doors.md)')).toEqual([]);
  });

  test('of a comment has 25 words at most', () => {
    const sentence = (count: number) => `${'Word '.repeat(count - 1)}end.`;

    expect(rulesOf('comment', sentence(26))).toEqual(['sentence']);
    expect(rulesOf('comment', `${sentence(25)} ${sentence(25)}`)).toEqual([]);
    expect(rulesOf('prose', sentence(26))).toEqual([]);
  });
});

test('a table cell has 160 characters at most, without link addresses', () => {
  expect(rulesOf('cell', 'x'.repeat(161))).toEqual(['cell']);
  expect(rulesOf('cell', `${'x'.repeat(159)}[x](${'y'.repeat(50)})`)).toEqual([]);
});

test('a line has 110 columns at most, except a longer word', () => {
  expect(longLinesOf(`short\n${'ab '.repeat(37)}`)).toEqual([
    { rule: 'line', line: 2, text: 'ab '.repeat(37).trim() },
  ]);
  expect(
    longLinesOf(`${'é'.repeat(54)} ${'x'.repeat(55)}\n${'x'.repeat(200)}\n| ${'x '.repeat(80)}|`),
  ).toEqual([]);
});

test.each(['Adds a row', 'Added a row', 'ledger: add a row', 'add a row', 'Adding rows', 'Add '.repeat(20)])(
  'a commit subject that is no imperative is reported: %s',
  (subject) => {
    expect(rulesOf('subject', subject)).toEqual(['subject']);
  },
);

test.each(['Add a row', 'Pass rows on', 'Bring rows', 'Need two rows'])(
  'an imperative commit subject is allowed: %s',
  (subject) => {
    expect(rulesOf('subject', subject)).toEqual([]);
  },
);

test('docs/words.md is read, and at most ten exceptions remain', () => {
  const { whole, first, any } = wordsOf(
    readFileSync(new URL('../../../../docs/words.md', import.meta.url), 'utf8'),
  );

  expect([whole.has('parts'), first.has('look'), any.has('weather')]).toEqual([true, true, true]);
  expect(exceptions.length).toBeLessThanOrEqual(10);
});
