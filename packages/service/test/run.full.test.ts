import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';

const script = fileURLToPath(new URL('./support/process.ts', import.meta.url));
const right = { PORT: '0', DATABASE_URL: 'postgres://db.example/x', STOP_MS: '10' };

function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const output: string[] = [];
  child.stderr.on('data', (chunk) => output.push(String(chunk)));
  const ended = once(child, 'close').then(([code]) => ({ code, output: output.join('') }));
  return { child, ended, said: () => output.join('') };
}

describe('a service process', () => {
  test('stops in order on SIGTERM', async () => {
    const { child, ended, said } = start(right);
    await eventually(() => expect(said()).toContain('started'));

    child.kill('SIGTERM');

    expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining('stopped in order') });
  });

  test('that gets SIGTERM during its start stops after it', async () => {
    const { child, ended, said } = start({ ...right, START_MS: '200' });
    await eventually(() => expect(said()).toContain('starting'));

    child.kill('SIGTERM');

    expect(await ended).toMatchObject({ code: 0, output: 'starting\nstarted\nstopped in order\n' });
  });

  test('that gets SIGTERM before its first wait stops in order', async () => {
    const { ended } = start({ ...right, STOP_AT_ONCE: 'yes' });

    expect(await ended).toMatchObject({ code: 0, output: 'starting\nstarted\nstopped in order\n' });
  });

  test('that does not stop in time exits with a message', async () => {
    const { child, ended, said } = start({ ...right, STOP_MS: '60000' });
    await eventually(() => expect(said()).toContain('started'));

    child.kill('SIGTERM');

    const output = expect.stringContaining('Stopping took more than 10 s: the process ends where it is\n');
    expect(await ended).toMatchObject({ code: 1, output });
  });

  test('that has started frees the memory of its start', async () => {
    const { child, ended, said } = start(right);

    await eventually(() => expect(said()).toBe('starting\nstarted\ncollected\n'), { timeoutMs: 50_000 });

    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  test('with an invalid configuration prints the errors and exits', async () => {
    const { ended } = start({ ...right, PORT: 'canary', DATABASE_URL: '' });

    const { code, output } = await ended;

    expect(code).toBe(1);
    expect(output.split('\n')[0]).toBe('The configuration is wrong:');
    expect(output).toContain('DATABASE_URL: is missing');
    expect(output).not.toMatch(/canary|\n\s+at /);
  });

  test('that cannot start prints the reason without secrets', async () => {
    const { ended } = start({ ...right, FAIL: 'no postgres://me:hunter2@db.example for 529.982.247-25' });

    const { code, output } = await ended;

    expect(code).toBe(1);
    expect(output).toContain('cannot start');
    expect(output).not.toMatch(/hunter2|529\.982/);
  });
});
