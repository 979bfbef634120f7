import { expect, test } from '@jest/globals';
import { openApiDocument } from '@plataforma/api-docs/openapi';
import { api } from '@plataforma/contracts';
import { inputSchema } from '../src/input-schema.ts';
import { toolsFor } from '../src/tools.ts';

/**
 * Returns true if a pattern consists only of the tokens that JSON Schema recommends (2020-12, core, 6.4) and
 * all its groups are closed.
 */
function isPortable(pattern: string): boolean {
  let rest = pattern;
  let depth = 0;
  const tokens = [
    /^\[\^?[^\\[\]]+\]/,
    /^\{[0-9]+(,[0-9]*)?\}/,
    /^\((?!\?)/,
    /^\)/,
    /^[*+?|^$.]/,
    /^[^\\[\](){}*+?|^$.]/u,
  ];
  while (rest !== '') {
    const token = tokens.map((one) => one.exec(rest)?.[0]).find((found) => found !== undefined);
    if (token === undefined) return false;
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    rest = rest.slice(token.length);
  }
  return depth === 0 && RegExp(pattern).source !== '';
}

function patternsIn(json: unknown, path = ''): [string, string][] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]): [string, string][] => {
    const own: [string, string][] =
      name === 'pattern' && typeof value === 'string'
        ? [[path, value]]
        : patternsIn(value, `${path}/${name}`);
    const keys = name === 'patternProperties' ? Object.keys(Object(value)) : [];
    return [...own, ...keys.map((key): [string, string] => [`${path}/${name}`, key])];
  });
}

const toolsOf = (isLive: boolean) =>
  toolsFor({ isLive, mayWrite: true }).map(({ name, input }) => [
    name,
    inputSchema(input)['~standard'].jsonSchema.input({ target: 'draft-2020-12' }),
  ]);

test.each<[string, () => unknown]>([
  ['the OpenAPI document', () => JSON.parse(JSON.stringify(openApiDocument(api)))],
  ['the tools of the sandbox', () => Object.fromEntries(toolsOf(false))],
  ['the tools of production', () => Object.fromEntries(toolsOf(true))],
])('%s has only patterns that every engine compiles', (_name, published) => {
  const patterns = patternsIn(published());

  expect(patterns.length).toBeGreaterThan(0);
  expect(patterns.filter(([, pattern]) => !isPortable(pattern))).toEqual([]);
});
