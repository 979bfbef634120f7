import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { eventually } from '@plataforma/testing';

const ROOT = join(import.meta.dirname, '../../..');

/** Returns the command lines of all processes whose environment contains the text `mark`. */
async function processesWith(mark: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
      return (await read('environ')).includes(mark) ? await read('cmdline') : '';
    }),
  );
  return found.filter((command) => command !== '');
}

function startRun(mark: string): ChildProcess {
  const { PATH, HOME } = process.env;
  const tests = ['services/(charges|ledger)/test/[a-m]', '--maxWorkers=2'];
  return spawn(process.execPath, [join(ROOT, 'packages/testing/src/check.ts'), ...tests], {
    cwd: ROOT,
    env: { PATH, HOME, MARK: mark },
  });
}

test.each(['SIGINT', 'SIGKILL'] as const)(
  'a run that ends by %s leaves no process behind',
  async (signal) => {
    const mark = newId();
    const run = startRun(mark);
    let printed = '';
    for (const stream of [run.stdout, run.stderr])
      stream?.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
      });
    await eventually(() => expect(printed).toContain('PASS services/'), { timeoutMs: 100_000 });
    expect((await processesWith(mark)).join()).toContain('jest-worker');

    run.kill(signal);
    await once(run, 'close');

    await eventually(async () => expect(await processesWith(mark)).toEqual([]));
  },
  120_000,
);
