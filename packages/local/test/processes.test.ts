import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';
import { launch, type RunningProcess, stopAll, waitUntilReady } from '../src/processes.ts';

const scratchDir = scratchFolders();
const running: RunningProcess[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.kill();
});

function launched(name: string, script: string, limits: { stopTimeoutMs?: number } = {}): RunningProcess {
  const env = { PATH: process.env.PATH ?? '' };
  const shell = { command: '/bin/sh', args: ['-c', script] };
  const each = launch({ name, dir: scratchDir(), env, stopSignal: 'SIGTERM', ...shell, ...limits });
  running.push(each);
  return each;
}

/** Starts a shell script as a process, and waits until it is ready. On SIGTERM the script runs `onStop`. */
async function ready(name: string, onStop: string, limits = {}): Promise<RunningProcess> {
  const each = launched(name, `trap '${onStop}' TERM; echo ready; while :; do sleep 0.05; done`, limits);
  await waitUntilReady(
    each,
    async () => expect(readFileSync(each.logFile, 'utf8')).toContain('ready'),
    20_000,
  );
  return each;
}

describe('a process after a stop request', () => {
  test('has stopped in order with exit code 0', async () => {
    const worker = await ready('worker', 'exit 0');

    await worker.stop();

    expect([worker.hasExited(), worker.exitCode()]).toEqual([true, 0]);
  });

  test('is reported with name and last lines for another code', async () => {
    const worker = await ready('worker', 'echo the pool is not closed; exit 7');

    const message = await worker.stop().catch((error: Error) => error.message);

    expect(message).toContain('worker did not stop in order: exit code 7');
    expect(message).toContain('ready\nthe pool is not closed');
  });

  test('is reported when the signal kills it after its start', async () => {
    const begun = await ready('begun', 'trap - TERM; kill -s TERM $$');
    const early = launched('early', 'exec sleep 600');

    await expect(begun.stop()).rejects.toThrow('begun did not stop in order: SIGTERM');
    await early.stop();
  });

  test('is not reported when it was killed or had ended', async () => {
    const killed = await ready('killed', 'exit 1');
    const ended = launched('ended', 'exit 3');
    await ended.ended;

    await killed.kill();

    await Promise.all([killed.stop(), ended.stop()]);
  });

  test('is killed by SIGKILL after the timeout and reported', async () => {
    const worker = await ready('worker', 'echo no', { stopTimeoutMs: 1_000 });

    await expect(worker.stop()).rejects.toThrow(/SIGKILL, sent 1 s after SIGTERM\n(.*\n)+no/);
  });
});

test('stopping several processes reports faults after all have ended', async () => {
  const all = await Promise.all([
    ready('one', 'exit 1'),
    ready('two', 'exit 0'),
    ready('three', 'sleep 0.2; exit 3'),
  ]);

  const message = await stopAll(all).catch((error: Error) => error.message);

  expect(all.map((each) => each.exitCode())).toEqual([1, 0, 3]);
  expect(message).toMatch(
    /^one did not stop in order: exit code 1\n(.*\n)*three did not stop in order: exit code 3\n/,
  );
});
