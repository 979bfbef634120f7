import { expect, test } from '@jest/globals';
import { eventually } from '../../src/index.ts';
import { anOrder, clientOf } from './client.ts';
import { startWorld } from './world.ts';

/** Less than what each process has, before it gives its own stop up and ends with 1. */
const SOON = { timeoutMs: 8_000 };

test('a platform that has worked is told to stop, and each of its processes ends by itself, soon, with 0', async () => {
  const world = await startWorld({ replicas: 2 });
  const { platform, shop } = world;
  const merchant = clientOf(platform.facts.baseUrl, { key: platform.facts.demo.sandboxKey });
  await merchant.post('/v1/webhook-config', { url: `${shop.url}/hooks` });
  const { data } = await merchant.post('/v1/charges', anOrder());
  await merchant.post(`/v1/charges/${data.id}/simulate-payment`);
  await eventually(() => expect(shop.deliveries).toHaveLength(1));
  const codes = () => Object.values(platform.replicas).flatMap((all) => all.map(({ exitCode }) => exitCode));

  const stopping = world.stop();

  await eventually(() => expect(codes()).toEqual(new Array(11).fill(0)), SOON);
  await stopping;
}, 120_000);
