import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { scratchFolders } from '@plataforma/testing/scratch';
import { eventually, startPrivateBroker, startPrivatePostgres } from '../src/index.ts';
import { freePort } from '../src/ports.ts';
import { npmStart } from './support/npm-start.ts';

const PATIENCE = { timeoutMs: 120_000 };

const scratchDir = scratchFolders();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

test('npm start waits for a database and a broker that answer late, and says for which', async () => {
  const [postgres, broker] = await Promise.all([
    startPrivatePostgres(scratchDir()),
    startPrivateBroker(scratchDir()),
  ]);
  closing.push(() => Promise.all([postgres.stop(), broker.stop()]));
  await Promise.all([postgres.stop(), broker.stop()]);
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-late-'));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));

  const started = npmStart(dataDir, {
    PORT: String(await freePort(null)),
    DATABASE_URL: postgres.url,
    AMQP_URL: broker.url,
  });
  closing.push(async () => {
    started.child.kill('SIGTERM');
    await started.ended;
  });
  const waitsFor = (name: string, url: string) =>
    eventually(
      () => expect(started.printed()).toContain(`Waiting for ${name} at ${new URL(url).host}: `),
      PATIENCE,
    );
  await waitsFor('PostgreSQL', postgres.url);
  await postgres.start();
  await waitsFor('RabbitMQ', broker.url);
  await broker.start();

  await eventually(() => expect(started.printed()).toContain('A first charge'), PATIENCE);
}, 300_000);
