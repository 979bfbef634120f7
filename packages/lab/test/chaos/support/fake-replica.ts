import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { type Dice, diceOf } from '../../../src/chaos/dice.ts';
import type { Replica } from '../../../src/chaos/world/world.ts';

/** Random values that are always the smallest possible, so that every wait is short. */
export const hasty: Dice = { ...diceOf(1), int: (from) => from, named: () => hasty };

export interface Fake {
  replica: Replica;
  done: string[];
  /** Ends the process, and runs the shell script in its place until the script exits. */
  fails(script: string): Promise<void>;
}

/** Returns a function that creates fake replicas. They end after each test. */
export function fakeReplicas() {
  let dir: string;
  const ending: (() => unknown)[] = [];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'plataforma-faults-'));
  });
  afterEach(async () => {
    for (const end of ending.splice(0)) await end();
    await rm(dir, { recursive: true });
  });

  /**
   * Creates a process that only sleeps, and that tests can stop and kill. `stop` ends the process with the
   * exit code `stopCode`, or with SIGKILL if `stopCode` is null.
   */
  return async function aReplica(number = 1, stopCode: number | null = 0): Promise<Fake> {
    const done: string[] = [];
    let child = spawn('sleep', ['600']);
    await once(child, 'spawn');
    const end = async (how: string) => {
      done.push(how);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    };
    ending.push(() => end('over'));
    const fails = async (script: string) => {
      await end('fails');
      child = spawn('sh', ['-c', script]);
      await once(child, 'exit');
    };
    const process = {
      url: '',
      get pid() {
        return child.pid ?? 0;
      },
      get exitCode() {
        return child.exitCode;
      },
      async stop() {
        await end('stop');
        if (stopCode !== null) await fails(`exit ${stopCode}`);
      },
      kill: () => end('kill'),
      async start() {
        done.push('start');
        child = spawn('sleep', ['600']);
        await once(child, 'spawn');
      },
    };
    const fileOf = (what: string) => join(dir, `charges-${number}.${what}`);
    const files = { failPointsFile: fileOf('fail-points'), clockFile: fileOf('clock') };
    return { done, fails, replica: { service: 'charges', number, process, ...files, deaths: [] } };
  };
}

/** Returns the state letter of the process from proc(5): R is running, S is sleeping, T is stopped. */
export async function stateOf({ replica }: Fake): Promise<string | undefined> {
  return /\) (\w)/.exec(await readFile(`/proc/${replica.process.pid}/stat`, 'utf8'))?.[1];
}
