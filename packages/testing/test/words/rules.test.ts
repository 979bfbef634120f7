import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { exceptions } from '../../src/words/exceptions.ts';
import { faultsOfText, longLinesOf, longLinesOfMarkdown, wordsOf } from '../../src/words/rules.ts';
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

describe('a line', () => {
  const long = 'ab '.repeat(38).trim();
  const linesOf = (text: string) => longLinesOf(text).map(({ line }) => line);

  test('has 110 columns at most', () => {
    expect(longLinesOf(`short\n${long}`)).toEqual([{ rule: 'line', line: 2, text: long }]);
    expect(linesOf(`${'é'.repeat(54)} ${'x'.repeat(55)}`)).toEqual([]);
  });

  test.each([
    ['a word', 'x'.repeat(200)],
    ['a table row', `| ${long} |`],
    ['a named string', `  const text = '${long}';`],
    ['a property', `  text: \`${long}\`,`],
    ['an argument', `    '${long}',`],
    ['an operand of a choice', `  : '${long}';`],
    ['a regular expression', `  /${long}/,`],
  ])('may be longer if it is only %s', (_kind, text) => {
    expect(linesOf(text)).toEqual([]);
  });

  test.each([
    ['a string that another continues', `'${long}' +`],
    ['a string beside an argument', `call(first, '${long}');`],
    ['a comment', `// ${long}`],
  ])('may not be longer as %s', (_kind, text) => {
    expect(linesOf(text)).toEqual([1]);
  });

  test('of front matter or a sample may be longer in a document', () => {
    const document = `---\ntitle: ${long}\n---\n${long}\n\`\`\`sh\n${long}\n\`\`\`\n${long}`;

    expect(longLinesOfMarkdown(document).map(({ line }) => line)).toEqual([4, 8]);
  });
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
