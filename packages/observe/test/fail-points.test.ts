import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';

const script = fileURLToPath(new URL('./support/passing-process.ts', import.meta.url));
const scratchDir = scratchFolders();
let file: string;

beforeEach(() => {
  file = join(scratchDir(), 'fail-points');
  writeFileSync(file, JSON.stringify({ points: ['commit.due'], action: 'kill' }));
});

function run(...flags: string[]) {
  const env = { PATH: process.env.PATH ?? '', FAIL_POINTS_FILE: file };
  return promisify(execFile)(process.execPath, [...flags, script], { env });
}

describe('fail points', () => {
  test('do nothing without the faults condition', async () => {
    const { stdout } = await run();

    expect(stdout).toBe('passed with none.ts\n');
    expect(existsSync(file)).toBe(true);
    expect(existsSync(`${file}.log`)).toBe(false);
  });

  test('end a process with the faults condition', async () => {
    await expect(run('--conditions=faults')).rejects.toMatchObject({ signal: 'SIGKILL', stdout: '' });
  });
});
