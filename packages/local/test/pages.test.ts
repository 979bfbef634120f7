import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const pages = fileURLToPath(new URL('../src/pages.ts', import.meta.url));
const source = `
  import { readFileSync } from 'node:fs';
  import { getPriority, setPriority } from 'node:os';
  import { buildDocs } from ${JSON.stringify(pages)};
  setPriority(Number(process.argv[1]));
  buildDocs().catch(() => undefined);
  const child = Number(readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8'));
  console.log(getPriority(child));
  process.kill(child);`;

test.each([5, 15])('a start at nice %i builds the docs at low priority', async (nice) => {
  // The test can't raise its own priority unless it runs as root, so a nice value below the current one has
  // no effect.
  const own = Math.max(nice, getPriority());

  const args = ['--input-type=module', '--eval', source, String(own)];
  const { stdout } = await promisify(execFile)(process.execPath, args);

  expect(stdout).toBe(`${Math.max(own, 10)}\n`);
});
