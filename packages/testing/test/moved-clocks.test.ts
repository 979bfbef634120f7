import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sourcesOf } from '../src/state-tables.ts';

const root = join(import.meta.dirname, '../../..');

/** The sources of the platform, without the package lab, whose fault tests read all tables. */
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

test('only the listed files read the clock offset of sandboxes', () => {
  expect(naming('sandbox_clocks')).toEqual([
    // The functions in sandbox-clocks.ts that read the table `sandbox_clocks` return 0 for production,
    // without a query.
    'packages/service/sandbox-clocks.ts',
    // The SQL join in moved-clocks.ts matches only rows of the sandbox.
    'services/ledger/store/moved-clocks.ts',
    // The SQL join in settled-days.ts matches only days of the sandbox, because days of production end in
    // real time.
    'services/ledger/store/settled-days.ts',
  ]);
  // The SQL in api-keys.ts reads the offset only for a sandbox key. For a production key it returns 0.
  expect(naming('sandbox_ahead_ms')).toEqual([
    'services/gateway/store/api-keys.ts',
    'services/gateway/store/organizations.ts',
  ]);
});

test('a statement that reads the offset is limited to sandboxes', () => {
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
