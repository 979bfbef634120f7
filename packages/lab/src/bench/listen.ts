import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually, type Platform, type PlatformFacts } from '@plataforma/local';
import { Plataforma } from '@plataforma/sdk';
import { startFakeMerchant } from '@plataforma/testing';
import { z } from 'zod';
import { atMost, type Figures, milliseconds } from './figures.ts';
import { order } from './http.ts';
import { quantile, spread } from './measure.ts';
import type { Workbench } from './run.ts';

const PAYMENTS = 100;
const STARTS = 20;
const LIMIT_MS = 500;
const START_LIMIT_MS = 150;
const PACK = fileURLToPath(new URL('../../../pack/src/main.ts', import.meta.url));
const run = promisify(execFile);

/**
 * Measures the packed command line: the delay with which `listen` forwards payments, and the time of its
 * start.
 */
export async function listen({ platform, defer }: Workbench<Platform>): Promise<Figures> {
  const { facts } = await platform();
  const folder = await mkdtemp(join(tmpdir(), 'plataforma-bench-listen-'));
  defer(() => rm(folder, { recursive: true, force: true }));
  const program = await packedIn(folder);
  const forwarded = await forwardedWithin({ program, folder, facts, defer });
  const starts: number[] = [];
  for (let n = 0; n < STARTS; n += 1) starts.push(await startOf(program));
  const p95 = quantile(forwarded, 0.95);
  const start = milliseconds(quantile(starts, 0.5));
  return {
    about:
      `${PAYMENTS} payments, one after the other: the time from the event's timestamp, at which the ` +
      'payment was recorded, until `plataforma listen` has forwarded the event to the server. ' +
      `${STARTS} starts of the packed file.`,
    rows: [
      { what: 'payment to forwarded', p95, ...spread(forwarded), aim: atMost(milliseconds(p95), LIMIT_MS) },
      { what: 'start, median', value: start, aim: atMost(start, START_LIMIT_MS) },
    ],
  };
}

async function packedIn(folder: string): Promise<string> {
  await run(process.execPath, [PACK, join(folder, 'packed')]);
  const names = await readdir(join(folder, 'packed'));
  const tarball = names.find((name) => name.startsWith('plataforma-cli-')) ?? '';
  await run('tar', ['xzf', join(folder, 'packed', tarball), '-C', folder]);
  return join(folder, 'package/dist/plataforma.js');
}

interface Listening extends Pick<Workbench<Platform>, 'defer'> {
  program: string;
  folder: string;
  facts: PlatformFacts;
}

async function forwardedWithin({ program, folder, facts, defer }: Listening): Promise<number[]> {
  const { baseUrl, demo } = facts;
  const shop = await startFakeMerchant();
  defer(() => shop.stop());
  const own = { PLATAFORMA_HOME: folder, PLATAFORMA_URL: baseUrl, PLATAFORMA_API_KEY: demo.sandboxKey };
  const line = [program, 'listen', '--forward-to', shop.url];
  const child = spawn(process.execPath, line, {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  defer(async () => {
    child.kill('SIGINT');
    await once(child, 'exit');
  });
  let printed = '';
  child.stderr.on('data', (chunk) => {
    printed += String(chunk);
  });
  await eventually(() => {
    if (!printed.includes('Ctrl-C')) throw new Error(`it does not listen: ${printed}`);
  });
  const delays: number[] = [];
  for (let n = 0; n < PAYMENTS; n += 1) {
    const id = await paidCharge(facts);
    const { body, receivedAt } = await shop.waitFor((delivery) => String(delivery.body).includes(id));
    delays.push(
      receivedAt - Date.parse(z.object({ timestamp: z.string() }).parse(JSON.parse(String(body))).timestamp),
    );
  }
  return delays;
}

async function paidCharge({ baseUrl, demo }: PlatformFacts): Promise<string> {
  const { charges } = new Plataforma({ apiKey: demo.sandboxKey, baseUrl });
  const { id } = await charges.create(order());
  await charges.simulatePayment(id);
  return id;
}

async function startOf(program: string): Promise<number> {
  const startedAt = performance.now();
  await run(process.execPath, [program, '--version']);
  return performance.now() - startedAt;
}
