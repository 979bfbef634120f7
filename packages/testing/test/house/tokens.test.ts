import { expect, test } from '@jest/globals';
import { tokensOf } from '../../src/house/tokens.ts';

const textsIn = (text: string) => tokensOf({ path: 'a.ts', text }).map((token) => token.text);

test('a comment is no token, and what looks like one in a text is none', () => {
  expect(textsIn("a /* b */ = '/* c */'; // d")).toEqual(['a', '=', "'/* c */'", ';']);
});

test('a template is one text, with the braces and templates in it', () => {
  const template = ['`a $', '{b({ c: `}` })} d`'].join('');

  expect(textsIn(`x = ${template};`)).toEqual(['x', '=', template, ';']);
});

test('a slash divides after a value, and begins a pattern before one', () => {
  expect(textsIn('a / b; c = /[/"]+/g; d(/`/)')).toEqual([
    ...['a', '/', 'b', ';'],
    ...['c', '=', '/[/"]+/g', ';'],
    ...['d', '(', '/`/', ')'],
  ]);
});

test('every token knows its line, behind texts of several lines, too', () => {
  const tokens = tokensOf({ path: 'a.ts', text: '// one\na = `\n\n`;\n/* five\n */ b' });

  expect(tokens.map(({ text, line }) => `${text.slice(0, 1)}${line}`)).toEqual([
    'a2',
    '=2',
    '`2',
    ';4',
    'b6',
  ]);
});
