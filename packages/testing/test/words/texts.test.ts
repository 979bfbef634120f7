import { expect, test } from '@jest/globals';
import { textsOfCode, textsOfMarkdown } from '../../src/words/texts.ts';

test('the texts of code are its declared names, comments and messages', () => {
  const code = `
/**
 * Adds two rows,
 * and one more.
 *
 * - a list
 */
export function add({ rows: some }: Rows): number {
  // The first line
  // goes on here.
  log.info({ id }, 'row added'); // At the end.
  throw new Refusal('invalid', \`row \${id} is wrong\`);
}
class Rows { #count = '// no comment'; }
const element = <b>/* no comment */</b>;
`;

  expect(textsOfCode('rows.tsx', code)).toEqual([
    { kind: 'name', line: 8, text: 'add' },
    { kind: 'name', line: 8, text: 'some' },
    { kind: 'message', line: 11, text: 'row added' },
    { kind: 'message', line: 12, text: 'invalid' },
    { kind: 'message', line: 12, text: 'row … is wrong' },
    { kind: 'name', line: 14, text: 'Rows' },
    { kind: 'name', line: 14, text: '#count' },
    { kind: 'name', line: 15, text: 'element' },
    { kind: 'comment', line: 2, text: 'Adds two rows, and one more.' },
    { kind: 'comment', line: 2, text: 'a list' },
    { kind: 'comment', line: 9, text: 'The first line goes on here.' },
    { kind: 'comment', line: 11, text: 'At the end.' },
  ]);
});

test('the texts of a document are its paragraphs, list items and cells', () => {
  const document = `# What it is

A paragraph
of two lines.
- an item
- another,
  which goes on

| Use | For |
|---|---|
| a \\| b | |

\`\`\`sh
What code says
\`\`\`
`;

  expect(textsOfMarkdown(document)).toEqual([
    { kind: 'prose', line: 3, text: 'A paragraph of two lines.' },
    { kind: 'prose', line: 5, text: 'an item' },
    { kind: 'prose', line: 6, text: 'another, which goes on' },
    { kind: 'cell', line: 9, text: 'Use' },
    { kind: 'cell', line: 9, text: 'For' },
    { kind: 'cell', line: 11, text: 'a \\| b' },
  ]);
});
