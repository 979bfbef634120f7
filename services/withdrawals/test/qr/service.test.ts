import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@plataforma/testing';
import { startWithdrawals } from '../../src/service.ts';
import type { Message } from '../support/client.ts';
import { newTenant } from '../support/identity.ts';
import { cob, jwsOf, newRsaKey, PIX_KEY, TXID } from '../support/qr-bank.ts';
import { dynamicCode } from '../support/qr-codes.ts';
import { startWorld, type World } from '../support/world.ts';

const key = newRsaKey();
const bank = createServer((request, response) => {
  const jku = `http://${request.headers.host}/.well-known/jwks.json`;
  const jwk = { ...key.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' };
  if (request.url === '/.well-known/jwks.json') return response.end(JSON.stringify({ keys: [jwk] }));
  return response.end(jwsOf({ alg: 'RS256', kid: 'k1', jku, typ: 'JWS' }, cob(), key.privateKey));
});
let host: string;
let world: World;

beforeAll(async () => {
  bank.listen(0, '127.0.0.1');
  await once(bank, 'listening');
  const address = bank.address();
  host = `127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  world = await startWorld({ settings: { QR_TRUSTED_HOSTS: `psp.internal:8080, ${host}` } });
});
afterAll(async () => {
  await world.stop();
  bank.closeAllConnections();
  bank.close();
});

const decode = (brCode: string, message: Message = {}) =>
  world.call(newTenant(), '/v1/withdrawals/decode-qr', { method: 'POST', body: { brCode }, ...message });

test('the service reads codes of a configured trusted provider', async () => {
  await eventually(async () =>
    expect(await decode(dynamicCode(`${host}/qr/v2/abc`))).toMatchObject({
      status: 200,
      data: { pixKey: PIX_KEY, amount: 3700, txid: TXID },
    }),
  );
});

test.each(['127.0.0.1:5432', '127.0.0.1', '10.0.0.1', 'localhost'])(
  'the service refuses other addresses like %s',
  async (address) => {
    expect(await decode(dynamicCode(`${address}/qr/v2/abc`))).toMatchObject({
      status: 422,
      error: { code: 'QR_CODE_UNRESOLVABLE', message: 'the code leads to an address that no bank has' },
    });
  },
);

test.each([
  ['QR_TRUSTED_HOSTS', 'psp.internal'],
  ['QR_TRUSTED_HOSTS', 'http://psp.internal:80'],
  ['QR_TRUSTED_HOSTS', 'psp.internal:80/path'],
  ['QR_TRUSTED_ISSUERS', 'https://chaves.example'],
  ['QR_TRUSTED_ISSUERS', 'chaves.example:443'],
  ['PRIVATE_ADDRESSES', '185.60.0.0/33'],
])('the setting %s can’t be %s', async (name, value) => {
  await expect(startWithdrawals({ ...world.env, [name]: value })).rejects.toThrow(name);
});
