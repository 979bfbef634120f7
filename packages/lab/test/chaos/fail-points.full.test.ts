import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { arm, disarm, readMarks } from '../../src/chaos/inside/fail-points.ts';

const script = fileURLToPath(new URL('./support/passing-process.ts', import.meta.url));
let dir: string;
let file: string;
let child: ChildProcess;
let said: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'plataforma-fail-points-'));
  file = join(dir, 'charges-1');
});

afterEach(() => {
  child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const env = { PATH: process.env.PATH ?? '', FAIL_POINTS_FILE: file };
  said = '';
  child = spawn(process.execPath, ['--conditions=faults', script], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdout?.on('data', (text) => {
    said += text;
  });
  await eventually(() => expect(said).toBe('ready\n'));
}

async function pass(line: string): Promise<void> {
  child.stdin?.write(`${line}\n`);
  await eventually(() => expect(said).toMatch(new RegExp(`passed ${line}\n$`)));
}

function stateOf({ pid }: ChildProcess): string {
  return execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .slice(0, 1);
}

const marksOf = async (kind: string) =>
  (await readMarks(file)).filter((mark) => mark.kind === kind).map(({ name }) => name);

describe('a fail point', () => {
  test('kills its process at the first armed point only', async () => {
    await start();
    await pass('unarmed');
    await arm(file, { points: ['payout.sending', 'payout.answered'], action: 'kill' });
    await pass('other');

    child.stdin?.write('first\n');
    const [, signal] = await once(child, 'close');

    expect(signal).toBe('SIGKILL');
    expect(said).not.toContain('first');
    expect(await marksOf('killed')).toEqual(['payout.answered']);
    expect(existsSync(file)).toBe(false);
  });

  test('does not affect the next process', async () => {
    await start();
    await arm(file, { points: ['payout.answered'], action: 'kill' });
    child.stdin?.write('first\n');
    await once(child, 'close');

    await start();
    await pass('again');

    expect(await marksOf('reached')).toEqual(['payout.answered', 'payout.answered']);
  });

  test('pauses its process until the process is continued', async () => {
    await start();
    await arm(file, { points: ['payout.answered'], action: 'stop' });

    child.stdin?.write('first\n');
    await eventually(() => expect(stateOf(child)).toBe('T'));
    expect(said).toBe('ready\n');
    child.kill('SIGCONT');

    await eventually(() => expect(said).toBe('ready\npassed first\n'));
    await pass('second');
    expect(await marksOf('stopped')).toEqual(['payout.answered']);
  });

  test('has no effect when it is disarmed in time', async () => {
    await start();
    await arm(file, { points: ['payout.answered'], action: 'kill' });
    await disarm(file);

    await pass('first');

    expect(await marksOf('killed')).toEqual([]);
  });

  test('is reported once by a process, rare situations each time', async () => {
    const startedAt = Date.now();
    await start();
    await pass('first');
    await pass('second');

    const marks = await readMarks(file);

    expect(marks.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'sometimes duplicate event absorbed',
      'sometimes duplicate event absorbed',
      'reached payout.answered',
    ]);
    for (const { at } of marks) expect(Math.abs(at - startedAt)).toBeLessThan(60_000);
  });
});
