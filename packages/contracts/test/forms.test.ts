import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { api, type Endpoint } from '../src/index.ts';

const root = join(import.meta.dirname, '..');
const kernel = join(root, '../kernel/src/index.ts');
const { exports } = z
  .object({ exports: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
/** Exports that are not forms. Some of them load the table of all endpoints, or modules with examples. */
const wholes = ['.', './example-ids', './search-words', './webhook-events', './webhook-examples'];
const words = ['./value-words', './catalogue'];
const forms = Object.entries(exports).filter(([subpath]) => ![...wholes, ...words].includes(subpath));

const IMPORT = /^(?:import|export) (?!type )[^;]*?from '([^']+)';$/gm;

/**
 * Returns the modules that a bundler would include for `file`: its imports and their imports, except types.
 */
function closureOf(file: string, closure = new Set<string>()): Set<string> {
  if (closure.has(file)) return closure;
  closure.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    if (name === '@plataforma/kernel') closureOf(kernel, closure);
    else if (name.startsWith('.')) closureOf(join(dirname(file), name), closure);
    else closure.add(name);
  }
  return closure;
}

test.each(forms)('%s imports only the fields and the kernel', (_subpath, file) => {
  const closure = [...closureOf(join(root, file))].filter((path) => !path.startsWith(dirname(kernel)));

  const fields = ['src/days.ts', 'src/fields.ts', 'src/older-names.ts', 'src/party.ts'].map((name) =>
    join(root, name),
  );
  const allowed = new Set([join(root, file), ...fields, 'zod', 'uuidv7']);
  expect(closure.filter((path) => !allowed.has(path))).toEqual([]);
});

test('value words load in a browser without other modules', () => {
  const files = words.map((subpath) => join(root, String(exports[subpath])));

  expect([...closureOf(String(files[0]))]).toEqual(files);
});

test('every forms file is exported under its name', () => {
  const files = readdirSync(join(root, 'src/forms')).map((name) => `./src/forms/${name}`);

  expect(forms).toEqual([
    ['./fields', './src/fields.ts'],
    ...files.map((file) => [`./${file.slice('./src/forms/'.length, -'.ts'.length)}`, file]),
  ]);
});

test('every merchant body except refresh has a form schema', async () => {
  const offered = await Promise.all(
    forms.map(async ([subpath]) => Object.values(await import(`@plataforma/contracts${subpath.slice(1)}`))),
  );
  const all: [string, Endpoint][] = Object.entries(api);
  const merchants = all.filter(([, { path, body }]) => body && !path.startsWith('/v1/admin'));
  const others = merchants.filter(([, { body }]) => !offered.flat().includes(body));

  expect(merchants.length).toBeGreaterThan(10);
  expect(others.map(([name]) => name)).toEqual(['refresh']);
});
