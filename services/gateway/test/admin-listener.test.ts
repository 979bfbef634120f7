import { describe, expect, test } from '@jest/globals';
import { endpoints } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { worldOfFile } from '@plataforma/testing/world';
import { send } from './support/send.ts';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() => startWorld({ settings: { ADMIN_PORT: '0' } }));

const ask = (url: string, { method, path }: { method: string; path: string }) =>
  send(`${url}${path.replace(/:\w+/g, newId())}`, { method: method.toUpperCase() });

describe('a separate listener for operators', () => {
  test('serves only operator routes, the public one only merchant routes', async () => {
    const byListener = Map.groupBy(endpoints, ({ path }) => path.startsWith('/v1/admin/'));

    for (const endpoint of byListener.get(true) ?? []) {
      expect([endpoint.path, (await ask(world.gateway.url, endpoint)).code]).toEqual([
        endpoint.path,
        'NOT_FOUND',
      ]);
    }
    for (const endpoint of byListener.get(false) ?? []) {
      const { code } = await ask(world.gateway.adminUrl, endpoint);
      expect([endpoint.path, code]).toEqual([endpoint.path, 'NOT_FOUND']);
    }
  });

  test('serves operators like a shared listener', async () => {
    const url = world.gateway.adminUrl;
    const login = await world.logInOperator({ url });
    const { accessToken } = JSON.parse(login.text).data;
    const headers = { authorization: `Bearer ${accessToken}` };

    const own = await send(`${url}/v1/admin/merchants`, { headers });
    const forwarded = await send(`${url}/v1/admin/charges`, { headers });
    const wrongMethod = await send(`${url}/v1/admin/merchants`, { method: 'DELETE', headers });

    expect([own.status, forwarded.status, wrongMethod.status]).toEqual([200, 200, 405]);
    expect(world.services.charges.last().url).toBe('/v1/admin/charges');
  });

  test('changes nothing for merchants', async () => {
    const { key } = await world.newKey(await world.newMerchant());

    expect((await world.call('/v1/charges', { headers: { 'x-api-key': key } })).status).toBe(200);
  });
});
