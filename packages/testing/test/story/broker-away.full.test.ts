import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { eventually, startFakeMerchant, startPlatform, startPrivateBroker } from '../../src/index.ts';
import { anOrder, clientOf } from './client.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

test('a broker that is killed only delays the credit and the webhook', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'plataforma-story-'));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
  const broker = await startPrivateBroker(join(dataDir, 'broker'));
  closing.push(() => broker.stop());
  const platform = await startPlatform({
    dataDir,
    limits: 'lifted',
    port: null,
    postgres: { url: process.env.TEST_POSTGRES_URL ?? '', pid: null },
    rabbitmq: broker,
    databasePrefix: `broker_away_${process.pid}`,
  });
  closing.push(() => platform.stop());
  const shop = await startFakeMerchant();
  closing.push(() => shop.stop());
  const merchant = clientOf(platform.facts.baseUrl, { key: platform.facts.demo.sandboxKey });
  await merchant.post('/v1/webhook-config', { url: `${shop.url}/hooks` });
  // RabbitMQ 3.10 forgets a quorum queue that was declared within three seconds before the kill.
  await sleep(5_000);
  const pay = async () => {
    const charge = await merchant.post('/v1/charges', anOrder({ amount: 1_000 }));
    const paid = await merchant.post(`/v1/charges/${charge.data.id}/simulate-payment`);
    expect(paid.data.status).toBe('PAID');
    return String(charge.data.id);
  };

  const before = await pay();
  await broker.kill();
  const meanwhile = await pay();
  const ready = await fetch(`${platform.services.charges.url}/readyz`);
  await broker.start();
  const after = await pay();

  // No reason to send its callers away: everything is taken, and only what others hear of it waits.
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({ data: { database: 'ok', broker: 'down' } });
  await eventually(async () => expect((await merchant.get('/v1/balance')).data.totalEarned).toBe(3_000));
  await eventually(() => {
    const told = shop.deliveries.map(({ body }) => JSON.parse(body.toString()).data.id);
    expect(told.toSorted()).toEqual([before, meanwhile, after].toSorted());
  });
});
