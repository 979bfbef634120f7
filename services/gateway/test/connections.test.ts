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
  test('has a limited number of connections and may replace closed ones', async () => {
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

  test('of a trusted proxy has no limit of connections', async () => {
    const world = await limitedWorld({ TRUSTED_PROXIES: '127.0.0.1' });

    const connections = await openMany(world, 30);

    expect(connections.filter(({ isOpen }) => isOpen)).toHaveLength(30);
    for (const { socket } of connections) socket.destroy();
  });
});

describe('the gateway', () => {
  test('stops in order while callers have idle connections', async () => {
    const other = await startWorld();
    const agent = new Agent({ keepAlive: true });
    const open = await new Promise<Socket>((resolve, reject) => {
      const call = request(`${other.gateway.url}/openapi.json`, { agent }, (answer) => {
        const { socket } = answer;
        answer.resume().on('end', () => resolve(socket));
      });
      call.on('error', reject).end();
    });
    const closed = once(open, 'close');

    const startedAt = performance.now();
    const stopping = other.stop();
    await closed;

    // The gateway closes all connections eight seconds after its stop began. An idle connection must close
    // before that.
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    await stopping;
  });
});
