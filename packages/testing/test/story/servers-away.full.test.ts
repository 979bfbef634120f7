import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  eventually,
  type Platform,
  type PrivateBroker,
  type PrivateServer,
  startFakeMerchant,
  startPlatform,
  startPrivateBroker,
  startPrivatePostgres,
} from '../../src/index.ts';
import { scratchFolders } from '../../src/scratch.ts';
import { anOrder, type Client, clientOf } from './client.ts';

const scratchDir = scratchFolders();

// The tests are in a `describe` block, because the hooks of a block run before the file's own hook, which
// removes the servers' folder.
describe('a platform that loses its servers', () => {
  const closing: (() => unknown)[] = [];
  let dataDir: string;
  let broker: PrivateBroker;
  let postgres: PrivateServer;
  let platform: Platform;
  let merchant: Client;

  beforeAll(async () => {
    dataDir = scratchDir();
    [broker, postgres] = await Promise.all([
      startPrivateBroker(join(dataDir, 'broker')),
      startPrivatePostgres(join(dataDir, 'postgres')),
    ]);
    closing.push(() => Promise.all([broker.stop(), postgres.stop()]));
    platform = await startPlatform({ dataDir, limits: 'lifted', port: null, postgres, rabbitmq: broker });
    closing.push(() => platform.stop());
    merchant = clientOf(platform.facts.baseUrl, { key: platform.facts.demo.sandboxKey });
  });

  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  async function pay(): Promise<string> {
    const charge = await merchant.post('/v1/charges', anOrder({ amount: 1_000 }));
    const paid = await merchant.post(`/v1/charges/${charge.data.id}/simulate-payment`);
    expect(paid.data.status).toBe('PAID');
    return String(charge.data.id);
  }

  test('only delays credits and webhooks when the broker is killed', async () => {
    const shop = await startFakeMerchant();
    closing.push(() => shop.stop());
    await merchant.post('/v1/webhook-config', { url: `${shop.url}/hooks` });
    // RabbitMQ 3.10 loses a quorum queue that was declared less than three seconds before RabbitMQ is killed.
    await sleep(5_000);

    const before = await pay();
    await broker.kill();
    const meanwhile = await pay();
    const ready = await fetch(`${platform.services.charges.url}/readyz`);
    await broker.start();
    const after = await pay();

    // Without the broker the service stays ready: it accepts every request, and only the publication of its
    // events waits.
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ data: { database: 'ok', broker: 'down' } });
    await eventually(async () => expect((await merchant.get('/v1/balance')).data.totalEarned).toBe(3_000));
    await eventually(() => {
      const deliveredIds = shop.deliveries.map(({ body }) => JSON.parse(body.toString()).data.id);
      expect(deliveredIds.toSorted()).toEqual([before, meanwhile, after].toSorted());
    });
  });

  test('has services that wait for a late database', async () => {
    const services = Object.entries(platform.services);
    await Promise.all(services.map(([, service]) => service.stop()));
    await postgres.stop();

    const starting = Promise.all(services.map(([, service]) => service.start()));
    starting.catch(() => undefined);
    await eventually(async () => {
      for (const [name] of services) {
        const log = await readFile(join(dataDir, 'services', name, `${name}.log`), 'utf8');
        expect({ name, log }).toMatchObject({ log: expect.stringContaining('the start waits for it') });
      }
    });
    await postgres.start();
    await starting;

    await pay();
  });
});
