import { expect, test } from '@jest/globals';
import { longFunctionsIn } from '../../src/house/functions.ts';
import { statements } from './support/tree.ts';

const LIMIT = 5;
const longIn = (text: string) =>
  longFunctionsIn({ path: 'a.ts', text }, LIMIT).map(({ line, lines }) => [line, lines]);

test.each([
  ['a function', 'function f(a: A) {'],
  ['one with the type of its result', 'export async function f(a: A): Promise<Map<string, { b: C }>> {'],
  ['a method', 'const f = { async *g() {'],
  ['an arrow', 'const f = ({ a, b }: C) => {'],
])('%s is as long as its body', (_what, head) => {
  expect(longIn(`\n${head}\n${statements(4)}}\n`)).toEqual([[2, 6]]);
  expect(longIn(`\n${head}\n${statements(3)}}\n`)).toEqual([]);
});

test.each([
  ['a loop', 'for await (const a of b) {'],
  ['a choice', 'if (a) {'],
  ['the other choice', 'if (a) b(); else {'],
  ['a class', 'class A extends B {'],
  ['a type', 'interface A {'],
  ['an object', 'const a = {'],
  ['a value that is chosen', 'const a = b ? (c) : {'],
])('%s is no function', (_what, head) => {
  expect(longIn(`${head}\n${statements(9)}}\n`)).toEqual([]);
});

test('lines of a function within another count for the inner one, and blank lines for none', () => {
  expect(longIn(`function f() {\n${statements(2)}return () => {\n\n\n${statements(5)}}\n}\n`)).toEqual([
    [4, 7],
  ]);
});

test('what describe holds is no function, but its tests are', () => {
  expect(
    longIn(`describe('a', () => {\n${statements(9)}test('b', () => {\n${statements(9)}});\n});\n`),
  ).toEqual([[11, 11]]);
});
