import { expect, test } from '@jest/globals';
import { endpoints } from '@plataforma/contracts';
import { newId } from '@plataforma/kernel';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import { startWorld } from './support/world.ts';

const world = worldOfFile(() =>
  startWorld({
    settings: {
      OPERATOR_NETWORKS: '203.0.113.0/24, 2001:db8::/32',
      SINGLE_OPERATOR: 'true',
      TRUSTED_PROXIES: '127.0.0.1',
    },
  }),
);

const from = (address: string) => ({ 'x-forwarded-for': address });
const operator = beforeFile(async () => ({ authorization: await logInFrom('203.0.113.7') }));
const ofOperators = endpoints.filter(({ path }) => path.startsWith('/v1/admin/'));

test.each(['198.51.100.1', '2001:db9::1', 'nonsense'])(
  'every endpoint of operators refuses %s',
  async (address) => {
    for (const { method, path } of ofOperators) {
      for (const each of [path, path.replace('/v1/admin', '/V1/ADMIN')]) {
        const { status, code } = await world.call(each.replace(/:\w+/g, newId()), {
          ...{ method: method.toUpperCase(), headers: { ...operator, ...from(address) } },
          ...(method !== 'get' && { body: {} }),
        });
        const isRouted = each === path || status !== 404;
        if (isRouted) expect([each, status, code]).toEqual([each, 403, 'IP_NOT_ALLOWED']);
      }
    }
  },
);

test('a refused log-in does not count as a failed log-in', async () => {
  await world.database.query('DELETE FROM rate_counters');

  const { json } = await world.post('/v1/admin/auth/login', {}, from('198.51.100.1'));

  const message = 'operators may not use the platform from this address';
  expect(json.error).toEqual({ code: 'IP_NOT_ALLOWED', message });
  expect(await world.database.query('SELECT 1 FROM rate_counters')).toEqual([]);
});

test.each(['203.0.113.8', '2001:db8::1'])('operators log in and work from %s', async (address) => {
  const headers = { authorization: await logInFrom(address), ...from(address) };

  const me = await world.call('/v1/admin/me', { headers });

  expect([me.status, me.json.data]).toEqual([200, expect.objectContaining({ singleOperator: true })]);
});

test('merchants work from every address', async () => {
  const { bearer } = await world.newMerchant();

  const { status } = await world.call('/v1/account', { headers: { ...bearer, ...from('198.51.100.1') } });

  expect(status).toBe(200);
});

async function logInFrom(address: string): Promise<string> {
  const { json } = await world.logInOperator({ headers: from(address) });
  return `Bearer ${Object(json.data).accessToken}`;
}
