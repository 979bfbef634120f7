import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { claimVhost, eventually, startPlatform, startPrivatePostgres } from '../../src/index.ts';
import { scratchFolders } from '../../src/scratch.ts';
import { anOrder, clientOf } from './client.ts';

const scratchDir = scratchFolders();

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

test('services that are started before their database wait for it, each of them, and then work', async () => {
  const dataDir = scratchDir();
  const postgres = await startPrivatePostgres(join(dataDir, 'postgres'));
  closing.push(() => postgres.stop());
  const platform = await startPlatform({
    dataDir,
    port: null,
    postgres,
    rabbitmq: { url: await claimVhost(), pid: null },
  });
  closing.push(() => platform.stop());
  const services = Object.entries(platform.services);
  await Promise.all(services.map(([, service]) => service.stop()));
  await postgres.stop();

  const starting = Promise.all(services.map(([, service]) => service.start()));
  starting.catch(() => undefined);
  await eventually(
    async () => {
      for (const [name] of services) {
        const log = await readFile(join(dataDir, 'services', name, `${name}.log`), 'utf8');
        expect({ name, log }).toMatchObject({ log: expect.stringContaining('the start waits for it') });
      }
    },
    { timeoutMs: 60_000 },
  );
  await postgres.start();
  await starting;

  const merchant = clientOf(platform.facts.baseUrl, { key: platform.facts.demo.sandboxKey });
  const charge = await merchant.post('/v1/charges', anOrder({ amount: 1_000 }));
  const paid = await merchant.post(`/v1/charges/${charge.data.id}/simulate-payment`);
  expect(paid.data.status).toBe('PAID');
}, 240_000);
