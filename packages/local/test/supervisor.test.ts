import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { closingAfterEach } from '@plataforma/testing/fixtures';
import { scratchFolders } from '@plataforma/testing/scratch';
import { launch, pidOf } from '../src/processes.ts';
import { type Supervised, supervise } from '../src/supervisor.ts';
import { eventually } from '../src/wait.ts';

const HASTY = { firstDelayMs: 10 };

const scratchDir = scratchFolders();
const atTheEnd = closingAfterEach();

function program(name: string, script: string) {
  const spec = {
    name,
    dir: scratchDir(),
    env: { PATH: process.env.PATH ?? '' },
    stopSignal: 'SIGTERM',
  } as const;
  const launchAnew = () => launch({ ...spec, command: '/bin/sh', args: ['-c', script] });
  let running = launchAnew();
  let launches = 1;
  atTheEnd(() => running.kill());
  return {
    get running() {
      return running;
    },
    get launches() {
      return launches;
    },
    launch() {
      running = launchAnew();
      launches += 1;
    },
  };
}

function supervised(all: Supervised[], tuning: Parameters<typeof supervise>[2] = HASTY) {
  const said: string[] = [];
  const pids: (number | null)[] = [];
  const onChange = () => void pids.push(...all.map(({ program: each }) => pidOf(each)));
  const supervisor = supervise(all, { say: (line) => said.push(line), onChange }, tuning);
  atTheEnd(() => supervisor.stop());
  return { said, pids, supervisor };
}

describe('a supervised program', () => {
  test('that is killed is restarted, without effect on another program', async () => {
    const victim = program('victim', 'exec sleep 600');
    const bystander = program('bystander', 'exec sleep 600');
    const { pid } = bystander.running;
    const { said, pids } = supervised([{ program: victim }, { program: bystander }]);

    process.kill(victim.running.pid, 'SIGKILL');

    await eventually(() => expect(victim.launches).toBe(2));
    expect(victim.running.hasExited()).toBe(false);
    expect(said).toEqual(['victim ended unexpectedly (SIGKILL); it is started again in 0.01 s']);
    expect(pids).toEqual([null, pid, victim.running.pid, pid]);
  });

  test('restarts with growing delays and at most four times', async () => {
    const broken = program('broken', 'echo no such table: users; exit 3');
    const { said } = supervised([{ program: broken }]);

    await eventually(() => expect(said).toHaveLength(5));

    expect(said.slice(0, 4)).toEqual(
      ['0.01', '0.02', '0.04', '0.08'].map(
        (delay) => `broken ended unexpectedly (exit code 3); it is started again in ${delay} s`,
      ),
    );
    expect(said[4]).toContain(
      '(exit code 3), 5 times within 60 s; the supervisor gives up, and everything else continues to run.',
    );
    expect(said[4]).toContain(broken.running.logFile);
    expect(said[4]).toMatch(/no such table: users$/);
    expect(broken.launches).toBe(5);
  });

  test('that dies rarely is always restarted', async () => {
    const brittle = program('brittle', 'sleep 0.1; exit 1');
    supervised([{ program: brittle }], { ...HASTY, withinMs: 50 });

    await eventually(() => expect(brittle.launches).toBeGreaterThan(6));
  });

  test('is reported without passwords and personal data', async () => {
    const broken = program('broken', 'echo no postgres://me:hunter2@db.example for 529.982.247-25; exit 1');
    const { said } = supervised([{ program: broken }]);

    await eventually(() => expect(said).toHaveLength(5));

    expect(said[4]).toContain('db.example');
    expect(said.join()).not.toMatch(/hunter2|529\.982/);
  });

  test('that needs a server restarts only when the server answers', async () => {
    const service = program('service', 'exec sleep 600');
    const server = join(scratchDir(), 'answers');
    let attempts = 0;
    const probe = async () => {
      attempts += 1;
      if (!existsSync(server)) throw new Error('connection refused');
    };
    const { said } = supervised([{ program: service, need: { name: 'PostgreSQL', probe } }]);

    process.kill(service.running.pid, 'SIGKILL');
    await eventually(() => expect(attempts).toBeGreaterThan(2));
    expect(service.launches).toBe(1);
    await writeFile(server, '');

    await eventually(() => expect(service.launches).toBe(2));
    expect(said.slice(1)).toEqual(['service waits for PostgreSQL before it is started again']);
  });
});

describe('stopped supervision', () => {
  test('restarts nothing, neither during a backoff nor after a death', async () => {
    const [early, late] = [program('early', 'exec sleep 600'), program('late', 'exec sleep 600')];
    const { said, supervisor } = supervised([{ program: early }, { program: late }], {
      firstDelayMs: 60_000,
    });
    process.kill(early.running.pid, 'SIGKILL');
    await eventually(() => expect(said).toHaveLength(1));

    supervisor.stop();
    await late.running.kill();
    await new Promise(setImmediate);

    expect([early.launches, late.launches]).toEqual([1, 1]);
    expect(said).toHaveLength(1);
  });
});
