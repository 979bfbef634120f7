import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const folder = fileURLToPath(new URL('../src', import.meta.url));

test('what is not in the table of endpoints is served at these paths only', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const paths = files.flatMap((name) =>
    [
      ...readFileSync(join(folder, name), 'utf8').matchAll(
        /\.(?:get|post|put|patch|delete|all|use)\(\s*['"`](\/[^'"`]*)/g,
      ),
    ].map(([, path]) => path),
  );

  // The way to the dashboard, where there is one. The document, its page and its collection, which its introduction names; the internal one is on a port of its own.
  expect(paths.toSorted()).toEqual([
    '/',
    '/collection.json',
    '/docs',
    '/docs/:asset',
    '/internal/merchants/:id',
    '/internal/operators',
    '/openapi.json',
  ]);
});
