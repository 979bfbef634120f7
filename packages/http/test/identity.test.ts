import { createPrivateKey, createPublicKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Scope, scopes, wideScopes } from '@plataforma/contracts';
import { newId, Refusal } from '@plataforma/kernel';
import { newKeyPair, trusting } from '@plataforma/testing/fixtures';
import jwt from 'jsonwebtoken';
import { createSigner, createVerifier, type Signer } from '../src/index.ts';

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

function refusalOf(token: string | undefined, by = verifier): unknown {
  try {
    return by.verify(token);
  } catch (error) {
    return error instanceof Refusal ? `${error.kind} ${error.code}` : error;
  }
}

describe('an identity', () => {
  test('has the signed content and the issuer', () => {
    const token = createSigner('gateway', gateway.privateKey).sign(merchant, 'ledger');

    expect(verifier.verify(token)).toEqual({ issuer: 'gateway', identity: merchant });
  });

  test('of a merchant includes narrow scopes beside those for older releases', () => {
    const who = { ...merchant, scopes: [...scopes] };
    const token = createSigner('gateway', gateway.privateKey).sign(who, 'ledger');

    expect(verifier.verify(token).identity).toEqual(who);
    expect(jwt.decode(token, { json: true })?.scopes).toEqual(wideScopes);
  });

  test('with an unknown newer scope has the others', () => {
    const token = signed({ ...claims(), narrowScopes: ['payment-links:write', 'events:read'] });

    expect(verifier.verify(token).identity).toEqual({ ...merchant, scopes: ['wallet:read', 'events:read'] });
  });

  test.each<[Scope[], Scope[]]>([
    [['charges:write'], ['charges:write', 'webhooks:write']],
    [['withdrawals:write'], ['withdrawals:write', 'webhooks:write']],
    [
      ['charges:read', 'wallet:read'],
      ['charges:read', 'wallet:read'],
    ],
    [[], []],
  ])('from an older gateway with %j has %j', (sent, granted) => {
    const token = signed({ ...claims(), scopes: sent });

    expect(verifier.verify(token).identity).toEqual({ ...merchant, scopes: granted });
  });

  test('expires after a minute', () => {
    const token = createSigner('gateway', gateway.privateKey).sign({ kind: 'anonymous' }, 'ledger');

    const payload = jwt.decode(token, { json: true });

    expect((payload?.exp ?? 0) - (payload?.iat ?? 0)).toBe(60);
  });

  describe('in the cache', () => {
    const start = Date.now();
    let now = start;
    beforeEach(() => void jest.spyOn(Date, 'now').mockImplementation(() => now));
    afterEach(() => void jest.restoreAllMocks());

    const signer = createSigner('gateway', gateway.privateKey);
    const tokenAt = (ms: number, who: Parameters<Signer['sign']>[0] = merchant) => {
      now = start + ms;
      return signer.sign(who, 'ledger');
    };

    test('is signed once in 15 seconds for a caller', () => {
      const first = tokenAt(0);

      expect(tokenAt(14_999)).toBe(first);
      expect(tokenAt(15_000)).not.toBe(first);
      expect(tokenAt(0, { ...merchant, scopes: ['wallet:read', 'charges:read'] })).not.toBe(first);
      expect(tokenAt(-1_000)).not.toBe(first);
    });

    test('is accepted until its expiry only', () => {
      const token = tokenAt(100_000);
      const { exp = 0 } = jwt.decode(token, { json: true }) ?? {};

      now = exp * 1000 - 1;
      expect(verifier.verify(token).identity).toEqual(merchant);
      expect(verifier.verify(token).identity).toEqual(merchant);
      now = exp * 1000;
      expect(refusalOf(token)).toBe('unauthenticated UNAUTHORIZED');
    });

    test('is refused after any change of its token', () => {
      const token = tokenAt(0);
      verifier.verify(token);

      expect(refusalOf(altered(token))).toBe('unauthenticated UNAUTHORIZED');
    });
  });

  test.each<[string, () => string | undefined]>([
    ['that is missing', () => undefined],
    ['that is empty', () => ''],
    ['that is not a token', () => 'gateway'],
    ['meant for another service', () => signed({ ...claims(), aud: 'charges' })],
    ['that has expired', () => signed({ ...claims(), exp: Math.floor(Date.now() / 1000) - 1 })],
    ['of an unknown issuer', () => signed({ ...claims(), iss: 'stranger' })],
    [
      'of an issuer with a name that is not text',
      () => `${part({ alg: 'ES256' })}.${part({ iss: ['gateway'] })}.AA`,
    ],
    ['signed with a foreign key', () => signed(claims(), newKeyPair().privateKey)],
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
    ['with a payload that is not JSON', () => `${part({ alg: 'ES256', typ: 'JWT' })}.${part('not json')}.AA`],
    ['of an unknown kind', () => signed({ ...claims(), kind: 'root' })],
    ['of a merchant without an id', () => signed({ ...claims(), merchantId: undefined })],
    ['with an unknown scope', () => signed({ ...claims(), scopes: ['everything'] })],
  ])('%s is refused', (_what, make) => {
    expect(refusalOf(make())).toBe('unauthenticated UNAUTHORIZED');
  });
});

describe('an issuer that changes its key', () => {
  const next = newKeyPair();
  const both = createVerifier(
    'ledger',
    trusting({ gateway: [gateway.publicKey, next.publicKey], charges: charges.publicKey }),
  );
  const tokenOf = (key: string) => createSigner('gateway', key).sign(merchant, 'ledger');

  test('is trusted with the old and new key in any order', () => {
    const turned = createVerifier('ledger', trusting({ gateway: [next.publicKey, gateway.publicKey] }));

    for (const key of [gateway.privateKey, next.privateKey]) {
      expect(both.verify(tokenOf(key))).toEqual({ issuer: 'gateway', identity: merchant });
      expect(turned.verify(tokenOf(key))).toEqual({ issuer: 'gateway', identity: merchant });
    }
  });

  test('is trusted with either key without key ids', () => {
    for (const key of [gateway.privateKey, next.privateKey]) {
      expect(both.verify(signed(claims(), key))).toEqual({ issuer: 'gateway', identity: merchant });
    }
  });

  test('is not trusted with a removed key', () => {
    const changed = createVerifier('ledger', trusting({ gateway: [next.publicKey] }));

    expect(refusalOf(tokenOf(gateway.privateKey), changed)).toBe('unauthenticated UNAUTHORIZED');
    expect(changed.verify(tokenOf(next.privateKey))).toEqual({ issuer: 'gateway', identity: merchant });
  });

  test.each<[string, () => string]>([
    ['with the key of another issuer', () => signed(claims(), charges.privateKey)],
    ['with a third key', () => tokenOf(newKeyPair().privateKey)],
    ['with a third key under the id of a trusted one', () => renamed(tokenOf(next.privateKey))],
    ['under a name that is not text', () => withHeader(signed(claims()), { alg: 'ES256', kid: ['a'] })],
    ['without a signature', () => `${part({ alg: 'none', typ: 'JWT' })}.${part(claims())}.`],
    ['too late', () => signed({ ...claims(), exp: Math.floor(Date.now() / 1000) - 1 })],
  ])('is refused with a token signed %s', (_what, make) => {
    expect(refusalOf(make(), both)).toBe('unauthenticated UNAUTHORIZED');
  });

  /** Returns a token that an unknown key has signed, but that names the key id of a valid token. */
  function renamed(good: string): string {
    const kid = jwt.decode(good, { complete: true })?.header.kid ?? '';
    return jwt.sign(claims(), keyOf(newKeyPair().privateKey), { algorithm: 'ES256', keyid: kid });
  }
});

function withHeader(token: string, header: object): string {
  return [part(header), ...token.split('.').slice(1)].join('.');
}

function altered(token: string): string {
  const [header, , signature] = token.split('.');
  return [header, part({ ...claims(), merchantId: newId() }), signature].join('.');
}
