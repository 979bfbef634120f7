import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeMeasuredPart } from '../src/index.ts';

let dir: string;
let file: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'plataforma-measured-'));
  file = join(dir, 'RESULTS.md');
});

afterEach(() => rm(dir, { recursive: true }));

const part = (name: string, text: string) =>
  `<!-- ${name}: written by the command, from here -->\n\n${text}\n\n<!-- ${name}: to here -->`;

test('rewriting a part leaves the rest of the file unchanged', async () => {
  const around = (text: string) =>
    `# Results\n\n${part('figures', text)}\n\nWhy: $& slow disks.\n\n${part('others', 'old')}\n`;
  await writeFile(file, around('old'));

  await writeMeasuredPart(pathToFileURL(file), 'figures', 'new $1 figures\n');

  expect(await readFile(file, 'utf8')).toBe(around('new $1 figures'));
});

test('a file without the part is refused and stays unchanged', async () => {
  await writeFile(file, '# Results\n');

  await expect(writeMeasuredPart(pathToFileURL(file), 'figures', 'new')).rejects.toThrow('there is no part');

  expect(await readFile(file, 'utf8')).toBe('# Results\n');
});
