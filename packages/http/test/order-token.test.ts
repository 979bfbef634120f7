import { describe, expect, test } from '@jest/globals';
import { newId, type Tenant } from '@plataforma/kernel';
import { newKeyPair, trusting } from '@plataforma/testing/fixtures';
import {
  createOrderSigner,
  createOrderVerifier,
  type Identity,
  type SignedOrder,
  signOrder,
  tokenKey,
  tokenSigningKey,
} from '../src/index.ts';

const [old, next] = [newKeyPair(), newKeyPair()];
const keys = trusting({ gateway: [old.publicKey, next.publicKey] }).get('gateway');
const now = new Date('2026-12-01T12:00:00Z');
const clock = () => now;
const refused: object[] = [];
const log = { error: (...[about]: [object, string]) => void refused.push(about) } as never;
const verifierOf = (mode: 'accept' | 'require') => createOrderVerifier({ mode, keys, clock, log });
const verifier = verifierOf('require');

const tenant: Tenant = { merchantId: newId(), environment: 'production' };
const merchant: Identity = { kind: 'merchant', ...tenant, scopes: ['withdrawals:write'] };
const body = Buffer.from('{"amount": 2500}');
const path = '/v1/withdrawals';
const sign = createOrderSigner(old.privateKey, clock);
const token = (url = path) => sign({ url }, { identity: merchant, actor: 'key:1' }, body);

/** The place of the signature in a token. */
const SIGNATURE = 9;

describe('an order', () => {
  test.each([
    ['the present key', old],
    ['the next key', next],
  ])('signed with %s is read as it was signed', (_what, { privateKey }) => {
    const order: SignedOrder = { id: newId(), path, tenant, actor: 'key:1', at: now };
    const signed = signOrder(tokenSigningKey(privateKey), order, body);

    expect(verifier.verify(signed, { path, tenant, body, id: order.id, maxAgeMs: 0 })).toEqual(order);
  });

  test.each(['/v1/withdrawals', '/v1/withdrawals/', '/v1/withdrawals?x=1', '/v1/withdrawals/?x=/y'])(
    'to %s has the path of the endpoint',
    (url) => expect(verifier.verify(token(url), { path, tenant, body })?.path).toBe(path),
  );

  test('with any other character is refused', () => {
    const good = token();
    for (let at = 0; at < good.length - 1; at += 1) {
      const other = good[at] === 'b' ? 'c' : 'b';
      const bad = `${good.slice(0, at)}${other}${good.slice(at + 1)}`;
      expect(() => verifier.verify(bad, { path })).toThrow('the gateway did not sign this order');
    }
  });

  test.each(['', ' ', 'order1', 'x'.repeat(100), `order1 ${'x '.repeat(9)}`])(
    'that is %p is refused',
    (bad) => expect(() => verifier.verify(bad, { path })).toThrow('the gateway did not sign this order'),
  );

  test('is refused with a log line that names no secret', () => {
    refused.length = 0;
    expect(() => verifier.verify(token(), { path, id: 'another' })).toThrow();

    expect(refused).toEqual([{ verdict: 'reused', path, id: 'another' }]);
  });

  test('for a receiver is good by the HMAC of its present and its next key', () => {
    const receivers = [newKeyPair(), newKeyPair()];
    const publicKeys = receivers.map(({ publicKey }) => tokenKey(publicKey));
    const signed = createOrderSigner(old.privateKey, clock, publicKeys);
    const fields = signed({ url: path }, { identity: merchant, actor: 'key:1' }, body).split(' ');
    const unsigned = fields.with(SIGNATURE, 'x').join(' ');

    for (const { privateKey: receiverKey } of receivers) {
      const receiver = createOrderVerifier({ mode: 'require', keys, receiverKey, clock, log });
      expect(receiver.verify(unsigned, { path, tenant, body })?.actor).toBe('key:1');
    }
    expect(() => verifier.verify(unsigned, { path })).toThrow(': forged');
  });

  test('is missing only while orders are required', () => {
    expect(verifierOf('accept').verify(undefined, { path })).toBeNull();
    expect(() => verifier.verify(null, { path })).toThrow(': missing');
  });
});
