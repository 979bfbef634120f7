import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { openConnections } from '@plataforma/testing/fixtures';
import { startWorld, type World } from './support/world.ts';

const worlds: World[] = [];

afterAll(() => Promise.all(worlds.map((world) => world.stop())));

async function limitedWorld(settings: Record<string, string> = {}): Promise<World> {
  const world = await startWorld({ settings: { CONNECTIONS_PER_ADDRESS: '10', ...settings } });
  worlds.push(world);
  return world;
}

const openMany = (world: World, count: number) => openConnections(world.gateway.url, count);

describe('an address', () => {
  test('holds no more connections than one may have, and gets others for those it lets go', async () => {
    const world = await limitedWorld();

    const connections = await openMany(world, 30);
    const stillOpen = connections.filter(({ isOpen }) => isOpen);

    expect(stillOpen).toHaveLength(10);
    for (const { socket } of stillOpen) socket.destroy();
    await eventually(async () => {
      const [again] = await openMany(world, 1);
      again?.socket.destroy();
      expect(again?.isOpen).toBe(true);
    });
  });

  test('that is a proxy of ours holds as many as it needs', async () => {
    const world = await limitedWorld({ TRUSTED_PROXIES: '127.0.0.1' });

    const connections = await openMany(world, 30);

    expect(connections.filter(({ isOpen }) => isOpen)).toHaveLength(30);
    for (const { socket } of connections) socket.destroy();
  });
});

describe('the gateway', () => {
  test('stops in order, though callers keep their connections', async () => {
    const other = await startWorld();
    const agent = new Agent({ keepAlive: true });
    const kept = await new Promise<Socket>((resolve, reject) => {
      const call = request(`${other.gateway.url}/openapi.json`, { agent }, (answer) => {
        const { socket } = answer;
        answer.resume().on('end', () => resolve(socket));
      });
      call.on('error', reject).end();
    });
    const closed = once(kept, 'close');

    const startedAt = performance.now();
    const stopping = other.stop();
    await closed;

    // After eight seconds every connection is cut, be it idle or not.
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    await stopping;
  });
});
