import { beforeAll, expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import { candidatesIn } from '../../src/mutants/candidates.ts';
import { equivalents, isEquivalent } from '../../src/mutants/equivalents.ts';
import { type Mutant, mutantsOf } from '../../src/mutants/mutant.ts';

const ROOT = new URL('../../../..', import.meta.url).pathname;

const by = (operator: string, code: string) =>
  mutantsOf('services/x/src/domain/y.ts', code)
    .filter((mutant) => mutant.operator === operator)
    .map((mutant) => mutant.code);

test.each<[string, string, string[]]>([
  ['boundary', 'a < b;', ['a <= b;']],
  ['boundary', 'a >= b;', ['a > b;']],
  ['boundary', 'a === b;', []],
  ['negated comparison', 'a < b;', ['a >= b;']],
  ['negated comparison', 'a !== b;', ['a === b;']],
  ['arithmetic', 'a + b * 2;', ['a - b * 2;', 'a + b / 2;']],
  ['arithmetic', "a + 'x';", []],
  ['logic', '(a || b) && c;', ['(a || b) || c;', '(a && b) && c;']],
  ['default', 'a ?? b ?? c;', ['((a ?? b) && (c));', '((a) && (b)) ?? c;']],
  ['assignment', 'a += b; c = d;', ['a -= b; c = d;']],
  ['assignment', "a += 'x';", []],
  ['negation', 'if (!a) b();', ['if (a) b();']],
  ['sign', 'a = -b;', ['a = b;']],
  ['step', 'a++; --b;', ['a--; --b;', 'a++; ++b;']],
  ['step', 'for (let i = 0; i < 3; i++) a();', []],
  ['boolean', 'a(true, false);', ['a(false, false);', 'a(true, true);']],
  ['condition', 'a ? b : c;', ['true ? b : c;', 'false ? b : c;']],
  ['condition', 'if (a) b(); else c();', ['if (true) b(); else c();', 'if (false) b(); else c();']],
  ['condition', 'while (a) b();', ['while (false) b();']],
  ['condition', 'if (a) throw b;', ['if (true) throw b;']],
  ['early exit removed', 'if (a) throw b; c();', ['; c();']],
  [
    'early exit removed',
    'for (const a of b) { if (a) { c(); continue; } d(); }',
    ['for (const a of b) { ; d(); }'],
  ],
  ['early exit removed', 'if (a) b();', []],
  ['statement removed', 'await a(); b = c;', ['; b = c;', 'await a(); ;']],
  ['statement removed', "failPoint('a'); sometimes('b');", []],
  ['block emptied', 'function a() { return b; }', ['function a() {}']],
  ['block emptied', 'if (a) { b(); } else { c(); }', ['if (a) {} else { c(); }', 'if (a) { b(); } else {}']],
  ['block emptied', 'while (a) { b(); }', []],
  ['function emptied', 'const a = (b) => b.c;', ['const a = (b) => undefined;']],
  ['text emptied', "a('b', '');", ["a('', '');", "a('b', 'mutant');"]],
  ['text emptied', 'a = `b`;', ['a = ``;']],
  ['text emptied', "import a from 'b'; export * from 'c'; d = { 'e-f': 1 };", []],
  ['text emptied', "throw new Error('a bug');", []],
  ['list emptied', 'a = [b, c]; d = [];', ['a = []; d = [];']],
  ['object emptied', 'a = { b }; c = {};', ['a = {}; c = {};']],
  [
    'method swapped',
    'a.some(b); Math.min(c, d);',
    ['a.every(b); Math.min(c, d);', 'a.some(b); Math.max(c, d);'],
  ],
  ['method dropped', 'a.filter(b).map(c);', ['a.map(c);']],
  [
    'optional chaining',
    'a?.b; c?.(); d?.[0];',
    ['a.b; c?.(); d?.[0];', 'a?.b; c(); d?.[0];', 'a?.b; c?.(); d[0];'],
  ],
])('%s in %j', (operator, code, expected) => {
  expect(by(operator, code).sort()).toEqual(expected.sort());
});

test('no mutation of a type', () => {
  const code = "interface A { b: 'c' | 'd'; e: [true, -1] }\nconst f: A['b'] | 'g' = h;\n";

  expect(mutantsOf('services/x/src/domain/y.ts', code)).toEqual([]);
});

test('what a type is claimed of is mutated', () => {
  expect(by('boolean', 'const a = { b: true } as const satisfies { b: false };')).toEqual([
    'const a = { b: false } as const satisfies { b: false };',
  ]);
});

test('letters of several bytes move nothing', () => {
  const code = "// São Paulo €\nconst a = 'ção';\nif (a < b) c('é');\n";

  const [mutant] = mutantsOf('services/x/src/domain/y.ts', code).filter(
    ({ operator }) => operator === 'boundary',
  );

  expect(mutant).toMatchObject({ line: 3, original: "if (a < b) c('é');", mutated: "if (a <= b) c('é');" });
  expect(mutant?.code).toBe(code.replace('a < b', 'a <= b'));
});

test('an id stays when lines come before it, and differs between equal texts', () => {
  const idsOf = (code: string) => mutantsOf('services/x/src/domain/y.ts', code).map(({ id }) => id);
  const code = 'a(\n  true,\n  true,\n);\n';

  expect(idsOf(`// more\n\n${code}`)).toEqual(idsOf(code));
  expect(new Set(idsOf(code)).size).toBe(idsOf(code).length);
});

let mutants: Mutant[];

beforeAll(async () => {
  mutants = await candidatesIn(ROOT);
});

test('mutants of the services are texts of the language', () => {
  // A quarter of them, the same each time: parsing all takes longer than it is worth.
  const some = mutants.filter(({ id }) => /^[0-3]/.test(id));

  expect(some.length).toBeGreaterThan(1_000);
  expect(some.filter(({ code }) => !parses(code)).map(({ file, mutated }) => [file, mutated])).toEqual([]);
});

test('no two mutants have the same id', () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
});

test('each mutant that is listed as equivalent is there, once', () => {
  expect(mutants.filter(isEquivalent)).toHaveLength(equivalents.length);
});

function parses(code: string) {
  try {
    parseSync(code, { syntax: 'typescript', target: 'es2024' });
    return true;
  } catch {
    return false;
  }
}
