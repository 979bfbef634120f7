import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { expect, test } from '@jest/globals';
import { claimVhost } from '@plataforma/testing';
import { closingAfterEach } from '@plataforma/testing/fixtures';
import { eventually } from '../src/index.ts';
import { freePort } from '../src/ports.ts';
import { npmStart } from './support/npm-start.ts';

const LONG_WAIT = { timeoutMs: 120_000 };

const atTheEnd = closingAfterEach();

/**
 * Returns another address for a server. Connections to the address are refused until the test calls `start`.
 */
async function closedAddressOf(server: string) {
  const { hostname, port } = new URL(server);
  const url = Object.assign(new URL(server), { port: String(await freePort(null)) });
  const listener = createServer((socket) => {
    const onward = connect(Number(port), hostname);
    pipeline(socket, onward, socket, () => undefined);
  });
  atTheEnd(() => listener.close());
  const start = () => once(listener.listen(Number(url.port), url.hostname), 'listening');
  return { url, start };
}

test('npm start names the late server that it waits for', async () => {
  const postgres = await closedAddressOf(process.env.TEST_POSTGRES_URL ?? '');
  const broker = await closedAddressOf(await claimVhost());
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-late-'));
  atTheEnd(() => rm(dataDir, { recursive: true, force: true }));

  const started = npmStart(dataDir, {
    PORT: String(await freePort(null)),
    DATABASE_URL: postgres.url.href,
    AMQP_URL: broker.url.href,
  });
  atTheEnd(async () => {
    started.child.kill('SIGTERM');
    await started.ended;
  });
  const waitsFor = (name: string, { host }: URL) =>
    eventually(() => expect(started.printed()).toContain(`Waiting for ${name} at ${host}: `), LONG_WAIT);
  await waitsFor('PostgreSQL', postgres.url);
  await postgres.start();
  await waitsFor('RabbitMQ', broker.url);
  await broker.start();

  await eventually(() => expect(started.printed()).toContain('A first charge'), LONG_WAIT);
}, 300_000);
