import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { processesOf } from '@plataforma/testing/scratch';
import { eventually, type PlatformFacts } from '../src/index.ts';
import { freePort } from '../src/ports.ts';
import { factsIn, npmStart, type Started } from './support/npm-start.ts';

jest.setTimeout(240_000);

const LONG_WAIT = { timeoutMs: 120_000, intervalMs: 100 };

let dataDir: string;
let started: Started;
let orders = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'plataforma-supervised-'));
  started = npmStart(dataDir, { PORT: String(await freePort(null)), REPLICAS: '2' });
  await eventually(() => expect(started.printed()).toContain('A first charge'), LONG_WAIT);
});

afterAll(async () => {
  started.child.kill('SIGTERM');
  await started.ended;
  await rm(dataDir, { recursive: true, force: true });
});

interface Answer {
  status: number;
  headers: Headers;
  data: { id?: string; totalEarned?: number };
}

async function call(path: string, body?: object): Promise<Answer> {
  const { baseUrl, demo } = await factsIn(dataDir);
  const response = await fetch(baseUrl + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': demo.sandboxKey, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { data = {} } = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, data };
}

/**
 * Expects that a charge can be created and paid, and that the ledger records the payment. This needs all
 * services, PostgreSQL and RabbitMQ.
 */
async function expectAllWorks(): Promise<void> {
  const before = await eventually(async () => {
    const { status, data } = await call('/v1/balance');
    expect(status).toBe(200);
    return Number(data.totalEarned);
  }, LONG_WAIT);
  orders += 1;
  const externalId = `order-${orders}`;
  const order = { amount: 2_500, externalId, payerName: 'Maria da Silva', payerDocument: '12345678909' };
  await eventually(async () => {
    const { status, data } = await call('/v1/charges', order);
    expect([200, 201]).toContain(status);
    expect((await call(`/v1/charges/${data.id}/simulate-payment`, {})).status).toBe(200);
  }, LONG_WAIT);
  await eventually(async () => {
    expect((await call('/v1/balance')).data.totalEarned).toBe(before + 2_500);
  }, LONG_WAIT);
}

type PidOf = (facts: PlatformFacts) => number | null | undefined;

/** Waits until the pid in `platform.json` belongs to a running process, and returns the pid. */
async function runningNow(pidOf: PidOf): Promise<number> {
  return eventually(async () => {
    const pid = Number(pidOf(await factsIn(dataDir)) ?? Number.NaN);
    process.kill(pid, 0);
    return pid;
  }, LONG_WAIT);
}

/**
 * Kills a process, and waits until the supervisor has reported the end of the process. Returns the pid of the
 * killed process.
 */
async function killed(name: string, pidOf: PidOf): Promise<number> {
  const deaths = () => started.printed().split(`${name} ended unexpectedly (SIGKILL)`).length;
  const before = deaths();
  const pid = await runningNow(pidOf);
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(deaths()).toBe(before + 1), LONG_WAIT);
  return pid;
}

describe('npm start', () => {
  const victims: [string, PidOf][] = [
    ['sandbox-psp', ({ services }) => services['sandbox-psp'][0]?.pid],
    ['charges-2', ({ services }) => services.charges[1]?.pid],
    ['postgres', ({ postgres }) => postgres.pid],
    ['rabbitmq', ({ rabbitmq }) => rabbitmq.pid],
  ];

  test.each(victims)('restarts %s after its death and prints a line', async (name, pidOf) => {
    const dead = await killed(name, pidOf);

    const line = `${name} ended unexpectedly (SIGKILL); it is started again in 0.5 s\n`;
    expect(started.printed()).toContain(line);
    expect(await runningNow(pidOf)).not.toBe(dead);
    await expectAllWorks();
  });

  test('has the rate limits of production', async () => {
    const login = { email: 'guesser@loja.test', password: 'a guess' };
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries += 1) statuses.push((await call('/v1/auth/login', login)).status);
    const balance = await call('/v1/balance');

    expect(statuses).toEqual([...new Array(10).fill(401), 429]);
    // The limit is 100 requests a second. The header gives the limit for ten seconds.
    expect(balance.headers.get('ratelimit-limit')).toBe('1000');
  });

  test('restarts nothing after its stop and exits with 1', async () => {
    const ledger: PidOf = ({ services }) => services.ledger[1]?.pid;
    const frozen = await runningNow(({ services }) => services.webhooks[0]?.pid);
    process.kill(frozen, 'SIGSTOP');
    await killed('ledger-2', ledger);
    await killed('ledger-2', ledger);
    expect(started.printed()).toContain('ledger-2 ended unexpectedly (SIGKILL); it is started again in 1 s');

    started.child.kill('SIGINT');
    await eventually(async () => expect(await hasPendingSigterm(frozen)).toBe(true), LONG_WAIT);
    process.kill(frozen, 'SIGKILL');

    expect(await started.ended).toBe(1);
    expect(started.printed()).toContain('webhooks did not stop in order: SIGKILL');
    expect(started.printed()).not.toMatch(/webhooks ended unexpectedly|ledger-2 did not stop/);
    await eventually(() => expect(processesOf(dataDir)).toEqual([]), LONG_WAIT);
  });
});

/** Returns true if a stopped (SIGSTOP) process has received a SIGTERM that it has not handled yet. */
async function hasPendingSigterm(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const pending = BigInt(`0x${/^ShdPnd:\s+(\w+)/m.exec(status)?.[1]}`);
  return (pending & (1n << 14n)) !== 0n;
}
