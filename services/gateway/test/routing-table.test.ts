import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const folder = fileURLToPath(new URL('../src', import.meta.url));

const ROUTES = /\.(?:get|post|put|patch|delete|all|use)\(\s*(\[[^\]]*\]|['"`]\/[^'"`]*)/g;

test('only these paths are served outside the table of endpoints', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const paths = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(ROUTES)].flatMap(([, given = '']) =>
      [...given.matchAll(/['"`](\/[^'"`]*)/g)].map(([, path]) => path),
    ),
  );

  // The paths without an endpoint: the redirect to the dashboard, the document, the collection and the docs
  // site. Internal routes are on another port.
  expect(paths.toSorted()).toEqual([
    '/',
    '/collection.json',
    '/docs',
    '/docs/',
    '/docs/addresses.json',
    '/docs/{*path}',
    '/internal/merchants/:id',
    '/internal/operator-sums',
    '/internal/operators',
    '/llms-full.txt',
    '/llms.txt',
    '/openapi.json',
  ]);
});
