import { describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { startWorld } from './support/world.ts';

const WEB_URL = 'https://painel.loja.example/test';

const world = worldOfFile(() => startWorld({ settings: { WEB_URL } }));
const withoutWeb = worldOfFile(startWorld);

const ask = (url: string, method = 'GET') => fetch(url, { method, redirect: 'manual' });

describe('the root of the gateway', () => {
  test.each(['GET', 'HEAD'])('redirects to the dashboard with any query: %s', async (method) => {
    for (const path of ['/', '/?next=https://elsewhere.example']) {
      const answer = await ask(world.gateway.url + path, method);

      expect([answer.status, answer.headers.get('location')]).toEqual([302, WEB_URL]);
    }
  });

  test('is no API endpoint, and other paths do not redirect', async () => {
    expect((await ask(`${world.gateway.url}/`, 'POST')).status).toBe(404);
    expect((await ask(`${world.gateway.url}/v1`)).status).toBe(404);
  });

  test('does not exist without an address of the dashboard', async () => {
    const answer = await ask(`${withoutWeb.gateway.url}/`);

    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } });
  });
});
