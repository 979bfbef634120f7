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
  test('that is told to stop stops in order', async () => {
    const { child, ended, said } = start(right);
    await eventually(() => expect(said()).toContain('started'));

    child.kill('SIGTERM');

    expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining('stopped in order') });
  });

  test('that is told to stop while it starts does so when it has started', async () => {
    const { child, ended, said } = start({ ...right, START_MS: '200' });
    await eventually(() => expect(said()).toContain('starting'));

    child.kill('SIGTERM');

    expect(await ended).toMatchObject({ code: 0, output: 'starting\nstarted\nstopped in order\n' });
  });

  test('that is told to stop before it has waited for anything stops in order, too', async () => {
    const { ended } = start({ ...right, STOP_AT_ONCE: 'yes' });

    expect(await ended).toMatchObject({ code: 0, output: 'starting\nstarted\nstopped in order\n' });
  });

  test('that does not stop in time ends where it is, and says so', async () => {
    const { child, ended, said } = start({ ...right, STOP_MS: '60000' });
    await eventually(() => expect(said()).toContain('started'));

    child.kill('SIGTERM');

    const output = expect.stringContaining('Stopping took more than 10 s: the process ends where it is\n');
    expect(await ended).toMatchObject({ code: 1, output });
  });

  test('that has started gives back what its start has left behind', async () => {
    const { child, ended, said } = start(right);

    await eventually(() => expect(said()).toBe('starting\nstarted\ncollected\n'), { timeoutMs: 50_000 });

    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  test('with a wrong configuration says what is wrong, nothing else, and ends', async () => {
    const { ended } = start({ ...right, PORT: 'canary', DATABASE_URL: '' });

    const { code, output } = await ended;

    expect(code).toBe(1);
    expect(output.split('\n')[0]).toBe('The configuration is wrong:');
    expect(output).toContain('DATABASE_URL: is missing');
    expect(output).not.toMatch(/canary|\n\s+at /);
  });

  test('that can not start says why without anybody’s secrets', async () => {
    const { ended } = start({ ...right, FAIL: 'no postgres://me:hunter2@db.example for 529.982.247-25' });

    const { code, output } = await ended;

    expect(code).toBe(1);
    expect(output).toContain('cannot start');
    expect(output).not.toMatch(/hunter2|529\.982/);
  });
});
