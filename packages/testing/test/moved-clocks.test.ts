import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sourcesOf } from '../src/state-tables.ts';

const root = join(import.meta.dirname, '../../..');

/** The platform's sources, without the fault suite, which reads everything. */
const sources = ['packages', 'services'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name !== 'lab')
    .flatMap((name) =>
      sourcesOf(join(root, folder, name)).map(({ path, text }) => ({
        path: `${folder}/${name}/${path}`,
        text,
      })),
    ),
);

const naming = (word: string) =>
  sources
    .filter(({ text }) => text.includes(word))
    .map(({ path }) => path)
    .sort();

test('how far a sandbox is ahead is read in these places only', () => {
  expect(naming('sandbox_clocks')).toEqual([
    // Its one reader answers 0 for production before it asks.
    'packages/service/sandbox-clocks.ts',
    // Joined for rows of the sandbox only.
    'services/ledger/store/moved-clocks.ts',
    // Joined for days of the sandbox only; days of production end by the real time.
    'services/ledger/store/settled-days.ts',
  ]);
  // The query returns 0 for a production key.
  expect(naming('sandbox_ahead_ms')).toEqual([
    'services/gateway/store/api-keys.ts',
    'services/gateway/store/organizations.ts',
  ]);
});

test('a statement that reads it names the sandbox, too', () => {
  const reading = sources
    .filter(({ path }) => path.startsWith('services/'))
    .flatMap(({ text }) => [
      ...text.matchAll(/= ([`"])(?:(?!\1).)*sandbox_(?:clocks|ahead_ms)(?:(?!\1).)*\1/gs),
    ])
    .map(([statement]) => statement)
    .filter((text) => /JOIN|CASE/.test(text) && !text.includes('JOIN users'));

  expect(reading).toHaveLength(3);
  for (const statement of reading) expect(statement).toContain("'sandbox'");
});
