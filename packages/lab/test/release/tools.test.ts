import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { scratchFolders } from '@plataforma/testing/scratch';
import { lockFolder } from '../../src/release/lock-folder.ts';
import { runTool } from '../../src/release/run-tool.ts';
import { toolboxIn } from '../../src/release/toolbox.ts';

const scratchDir = scratchFolders();
const { PATH } = process.env;
let folder: string;

beforeEach(() => {
  folder = scratchDir();
});

afterEach(() => {
  process.env.PATH = PATH;
});

test('a stopped tool ends with the programs that it started', async () => {
  const file = join(folder, 'pid');
  const stop = new AbortController();
  const running = runTool('sh', ['-c', `sleep 600 & echo $! > ${file}; wait`], { stop: stop.signal });
  const failure = expect(running).rejects.toThrow('sh was stopped');
  const pid = await eventually(async () => {
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(/^\d+\n$/);
    return text.trim();
  });

  stop.abort();

  await failure;
  await eventually(async () => {
    // Until its new parent process has read the exit code, the ended process is a zombie (state Z).
    const state = existsSync(`/proc/${pid}`) ? await readFile(`/proc/${pid}/stat`, 'utf8') : 'gone Z';
    expect(state).toMatch(/ Z/);
  });
});

test('a second run waits until the first releases the folder', async () => {
  const unlock = await lockFolder(folder);

  expect(await lockFolder(folder)).toBeNull();
  unlock?.();
  const unlockAgain = await eventually(async () => {
    const unlocked = await lockFolder(folder);
    expect(unlocked).not.toBeNull();
    return unlocked;
  });
  unlockAgain?.();
});

test.each([
  ['python', 'Python 3.11'],
  ['go', 'Go 1.26'],
  ['javaGenerator', 'Java 17'],
  ['maven', 'Maven 3.8'],
] as const)('without its toolchain %s fails and names %s', async (tool, toolchain) => {
  process.env.PATH = folder;

  await expect(toolboxIn(folder)[tool]()).rejects.toThrow(`install ${toolchain}`);
});
