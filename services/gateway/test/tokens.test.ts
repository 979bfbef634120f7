import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { newId } from '@plataforma/kernel';
import { newKeyPair } from '@plataforma/testing';
import { beforeFile, worldOfFile } from '@plataforma/testing/world';
import jwt from 'jsonwebtoken';
import { sharedWorld, signerOf } from './support/world.ts';

const world = worldOfFile(sharedWorld);
const merchant = beforeFile(() => world.newMerchant());

const keyOf = (text: string) =>
  createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = () => Math.floor(Date.now() / 1000);

function claims(): Record<string, unknown> {
  return { ...jwt.decode(merchant.accessToken, { json: true }) };
}

function signed(changes: Record<string, unknown>, key = world.gatewayKeys.privateKey): string {
  return jwt.sign({ ...claims(), ...changes }, keyOf(key), { algorithm: 'ES256' });
}

async function refusalOf(authorization: string, path = '/v1/account') {
  const { status, code } = await world.call(path, { headers: { authorization } });
  return `${status} ${code}`;
}

describe('an access token', () => {
  test('is signed with ES256 and expires after 15 minutes', () => {
    const decoded = jwt.decode(merchant.accessToken, { complete: true });

    expect(decoded?.header.alg).toBe('ES256');
    const { exp, iat } = claims();
    expect(Number(exp) - Number(iat)).toBe(900);
  });

  test('with a valid signature is accepted', async () => {
    expect(await refusalOf(`Bearer ${signed({})}`)).toBe('200 ');
  });

  test('is TOKEN_EXPIRED after its expiry', async () => {
    expect(await refusalOf(`Bearer ${signed({ exp: seconds() - 1 })}`)).toBe('401 TOKEN_EXPIRED');
  });

  test.each<[string, () => string]>([
    ['of an operator', () => signed({ aud: 'operators' })],
    ['meant for a service', () => signed({ aud: 'charges' })],
    ['of another issuer', () => signed({ iss: 'charges' })],
    ['signed with another key', () => signed({}, newKeyPair().privateKey)],
    ['signed by a service', () => signed({}, world.chargesKeys.privateKey)],
    ['with alg none', () => `${part({ alg: 'none', typ: 'JWT' })}.${part(claims())}.`],
    [
      'signed with the public key as a shared secret',
      () =>
        jwt.sign(
          claims(),
          createPublicKey(keyOf(world.gatewayKeys.privateKey)).export({ format: 'pem', type: 'spki' }),
          { algorithm: 'HS256', allowInvalidAsymmetricKeyTypes: true },
        ),
    ],
    ['of an unknown session', () => signed({ sid: newId() })],
    ['without a session', () => signed({ sid: undefined })],
    ['of a service’s identity', () => signerOf('gateway').sign({ kind: 'service' }, 'merchants')],
    ['that is expired and forged', () => signed({ exp: seconds() - 1 }, newKeyPair().privateKey)],
    [
      'with a payload that is not JSON',
      () => `${part({ alg: 'ES256', typ: 'JWT' })}.${Buffer.from('no').toString('base64url')}.AA`,
    ],
    ['that is not a token', () => 'abc'],
  ])('%s is INVALID_TOKEN', async (_what, make) => {
    expect(await refusalOf(`Bearer ${make()}`)).toBe('401 INVALID_TOKEN');
  });

  test.each(['', 'Bearer', 'Bearer ', 'Basic ZG9ubzpzZW5oYQ==', 'Bearer two words', 'eyJhbGciOiJFUzI1NiJ9'])(
    'is missing in the header %j',
    async (authorization) => {
      expect(await refusalOf(authorization)).toBe('401 UNAUTHORIZED');
    },
  );

  test('of a merchant opens no operator route, nor the reverse', async () => {
    const operator = await world.operator();

    expect(await refusalOf(merchant.bearer.authorization, '/v1/admin/merchants')).toBe('401 INVALID_TOKEN');
    expect(await refusalOf(operator.authorization, '/v1/account')).toBe('401 INVALID_TOKEN');
    expect(await refusalOf(operator.authorization, '/v1/balance')).toBe('401 INVALID_TOKEN');
  });
});
