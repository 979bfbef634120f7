import { execFile } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { z } from 'zod';

const mutants = z.array(
  z.object({ id: z.string(), line: z.int(), original: z.string(), mutated: z.string(), code: z.string() }),
);

/**
 * Returns the mutants of some code. A separate process is needed, because Stryker's packages are ES modules.
 */
async function mutantsOf(code: string) {
  const module = new URL('../../src/mutants/mutant.ts', import.meta.url).href;
  const program = `import { mutantsOf } from '${module}';
    process.stdout.write(JSON.stringify(await mutantsOf('services/x/src/domain/y.ts', process.argv[1])));`;
  const args = ['--input-type=module', '--eval', program, code];
  return mutants.parse(JSON.parse((await promisify(execFile)(process.execPath, args)).stdout));
}

test('a mutant changes one text, also after multi-byte letters', async () => {
  const code = "// São Paulo €\nconst a = 'ção';\nif (a < b) c('é');\n";

  const found = (await mutantsOf(code)).find(({ mutated }) => mutated.includes('<='));

  expect(found).toMatchObject({ line: 3, original: "if (a < b) c('é');", mutated: "if (a <= b) c('é');" });
  expect(found?.code).toBe(code.replace('a < b', 'a <= b'));
});

test('every mutant parses, also for a default value', async () => {
  const found = await mutantsOf('const a = b ?? c ?? (d || e);\nif (!a) { f(); } else g?.();\n');

  expect(found.length).toBeGreaterThan(5);
  for (const { code } of found) expect(() => stripTypeScriptTypes(code)).not.toThrow();
});

test('types, fail points and error texts have no mutants', async () => {
  const types = "interface A { b: 'c' | 'd'; e: [true, -1] }\nconst f: A['b'] | 'g' = h;\n";

  expect(await mutantsOf(`${types}failPoint('a'); situation('b'); const i = new Error('a bug');`)).toEqual(
    [],
  );
});

test('an id survives added lines and differs between equal texts', async () => {
  const code = 'a(\n  true,\n  true,\n);\n';
  const ids = (await mutantsOf(code)).map(({ id }) => id);

  expect((await mutantsOf(`// more\n\n${code}`)).map(({ id }) => id)).toEqual(ids);
  expect(new Set(ids).size).toBe(2);
});
