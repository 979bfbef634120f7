import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { send, serving } from '@plataforma/testing/fixtures';
import type { HttpServer, HttpServerOptions } from '../src/index.ts';

const servers: HttpServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function served(checks: Pick<HttpServerOptions, 'needs' | 'uses'>): Promise<HttpServer> {
  const server = await serving(() => undefined, checks);
  servers.push(server);
  return server;
}

describe('the readiness check', () => {
  test('runs at most once a second for many callers', async () => {
    const looks: number[] = [];
    const check = () => {
      looks.push(performance.now());
      return looks.length === 1;
    };
    const { url } = await served({ needs: { database: check } });
    const ask = async () => (await send(`${url}/readyz`, {})).status;

    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, ask));
    await eventually(async () => expect(await ask()).toBe(503));

    const pauses = looks.slice(1).map((at, i) => at - (looks[i] ?? at));
    expect(Math.min(...pauses)).toBeGreaterThan(990);
    expect([first, others.length]).toEqual([200, 19]);
  });

  test('runs ten times a second while a dependency is missing', async () => {
    const looks: number[] = [];
    const check = () => {
      looks.push(performance.now());
      return looks.length > 3;
    };
    const { url } = await served({ needs: { database: () => true }, uses: { broker: check } });
    const ask = async () => (await send(`${url}/readyz`, {})).text;

    await eventually(async () => expect(await ask()).toContain('"broker":"ok"'));

    const pauses = looks.slice(1).map((at, i) => at - (looks[i] ?? at));
    expect(Math.min(...pauses)).toBeGreaterThan(99);
    expect(Math.min(...pauses)).toBeLessThan(900);
    expect(looks.length).toBe(4);
  });
});

describe('readiness without an optional dependency', () => {
  test('is 200 and names the dependency', async () => {
    const { url } = await served({
      needs: { database: () => true },
      uses: { broker: () => false },
    });

    const { status, text } = await send(`${url}/readyz`, {});

    expect([status, JSON.parse(text)]).toEqual([
      200,
      { success: true, data: { database: 'ok', broker: 'down', accepting: 'ok' } },
    ]);
  });
});
