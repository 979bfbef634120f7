import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { newId, Refusal } from '@plataforma/kernel';
import jwt from 'jsonwebtoken';
import { createSigner, createVerifier, type Signer } from '../src/index.ts';
import { newKeyPair, trusting } from './support/keys.ts';

const gateway = newKeyPair();
const charges = newKeyPair();
const verifier = createVerifier(
  'ledger',
  trusting({ gateway: gateway.publicKey, charges: charges.publicKey }),
);
const merchant: Parameters<Signer['sign']>[0] & { kind: 'merchant' } = {
  kind: 'merchant',
  merchantId: newId(),
  environment: 'sandbox',
  scopes: ['wallet:read'],
};

const keyOf = (text: string) =>
  createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const claims = () => ({
  ...merchant,
  iss: 'gateway',
  aud: 'ledger',
  exp: Math.floor(Date.now() / 1000) + 60,
});
const signed = (payload: object, key = gateway.privateKey) =>
  jwt.sign(payload, keyOf(key), { algorithm: 'ES256' });

function refusalOf(token: string | undefined): unknown {
  try {
    return verifier.verify(token);
  } catch (error) {
    return error instanceof Refusal ? `${error.kind} ${error.code}` : error;
  }
}

describe('an identity', () => {
  test('is what was signed, with the name of who signed it', () => {
    const token = createSigner('gateway', gateway.privateKey).sign(merchant, 'ledger');

    expect(verifier.verify(token)).toEqual({ issuer: 'gateway', identity: merchant });
  });

  test('ends after a minute', () => {
    const token = createSigner('gateway', gateway.privateKey).sign({ kind: 'anonymous' }, 'ledger');

    const payload = jwt.decode(token, { json: true });

    expect((payload?.exp ?? 0) - (payload?.iat ?? 0)).toBe(60);
  });

  test.each<[string, () => string | undefined]>([
    ['that is missing', () => undefined],
    ['that is empty', () => ''],
    ['that is no token', () => 'gateway'],
    ['meant for another service', () => signed({ ...claims(), aud: 'charges' })],
    ['that has expired', () => signed({ ...claims(), exp: Math.floor(Date.now() / 1000) - 1 })],
    ['of an issuer nobody knows', () => signed({ ...claims(), iss: 'stranger' })],
    [
      'of an issuer whose name is no text',
      () => `${part({ alg: 'ES256' })}.${part({ iss: ['gateway'] })}.AA`,
    ],
    ['signed with somebody else’s key', () => signed(claims(), newKeyPair().privateKey)],
    ['signed by one service in the name of another', () => signed(claims(), charges.privateKey)],
    ['without a signature', () => `${part({ alg: 'none', typ: 'JWT' })}.${part(claims())}.`],
    [
      'signed with the public key as a shared secret',
      () =>
        jwt.sign(
          claims(),
          createPublicKey(keyOf(gateway.privateKey)).export({ format: 'pem', type: 'spki' }),
          { algorithm: 'HS256', allowInvalidAsymmetricKeyTypes: true },
        ),
    ],
    ['changed after it was signed', () => altered(signed(claims()))],
    ['whose payload is no JSON', () => `${part({ alg: 'ES256', typ: 'JWT' })}.${part('not json')}.AA`],
    ['of a kind that does not exist', () => signed({ ...claims(), kind: 'root' })],
    ['of a merchant without an id', () => signed({ ...claims(), merchantId: undefined })],
    ['with a scope that does not exist', () => signed({ ...claims(), scopes: ['everything'] })],
  ])('%s is refused', (_what, make) => {
    expect(refusalOf(make())).toBe('unauthenticated UNAUTHORIZED');
  });
});

function altered(token: string): string {
  const [header, , signature] = token.split('.');
  return [header, part({ ...claims(), merchantId: newId() }), signature].join('.');
}
