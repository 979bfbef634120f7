import { constants, createHmac, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { api } from '@plataforma/contracts';
import {
  cob,
  createFakeBank,
  type FakeBank,
  jwsOf,
  KEYS_URL,
  type KeyPair,
  newEcKey,
  newRsaKey,
  serveJws,
} from '../support/qr-bank.ts';
import { decodeFrom, ISSUER, invalid, NO_KEY, stopDecoders, UNSIGNED, WRONG } from '../support/qr-signed.ts';

const rsa = newRsaKey();
const otherRsa = newRsaKey();
const [p256, p384, p521] = ['P-256', 'P-384', 'P-521'].map(newEcKey);
if (!p256 || !p384 || !p521) throw new Error('there are three curves');

let bank: FakeBank;

beforeAll(() => {
  bank = createFakeBank(rsa, 'RS256');
});
afterAll(stopDecoders);

const jwkOf = ({ publicKey }: KeyPair, changes: object = {}) => ({
  ...publicKey.export({ format: 'jwk' }),
  kid: 'k1',
  ...changes,
});
describe('a valid signature', () => {
  test.each([
    ['RS256', rsa],
    ['RS384', rsa],
    ['RS512', rsa],
    ['PS256', rsa],
    ['PS384', rsa],
    ['PS512', rsa],
    ['ES256', p256],
    ['ES384', p384],
    ['ES512', p521],
  ])('by %s is accepted', async (alg, key) => {
    const answer = await decodeFrom(...signedBy(key, alg));

    expect(answer.status).toBe(200);
    expect(api.decodeQr.data.parse(answer.data).amount).toBe(3700);
  });

  test.each([
    ['names the algorithm', { alg: 'RS256' }],
    ['names the key type instead of the algorithm', { alg: 'RSA' }],
    ['declares its use for signatures', { use: 'sig', key_ops: ['verify'] }],
    ['has unknown fields', { ext: true, nbf: 1 }],
  ])('by a key that %s is accepted', async (_what, changes) => {
    const own = createFakeBank(rsa, 'RS256');
    own.publish(jwkOf(rsa, changes));

    expect((await decodeFrom(own, own.code())).status).toBe(200);
  });

  test('is accepted among other keys, even of unknown kinds', async () => {
    const own = createFakeBank(rsa, 'RS256');
    const others = [
      { kty: 'OKP', kid: 'k1', crv: 'Ed25519', x: 'AA' },
      { kid: 'k1' },
      { kty: 'oct', kid: 'k1' },
    ];
    own.publish(...others, jwkOf(otherRsa, { kid: 'k0' }), jwkOf(rsa));

    expect((await decodeFrom(own, own.code())).status).toBe(200);
  });

  test('is accepted among at most ten keys of its id', async () => {
    const own = createFakeBank(rsa, 'RS256');
    const namesakes = (count: number) => Array.from({ length: count }, () => jwkOf(otherRsa, { use: 'enc' }));
    const statuses = [];
    for (const count of [9, 10]) {
      own.publish(...namesakes(count), jwkOf(rsa));
      statuses.push((await decodeFrom(own, own.code())).status);
    }

    expect(statuses).toEqual([200, 422]);
  });

  test('is accepted with a line end', async () => {
    expect((await decodeFrom(bank, serveJws(bank.web, `${bank.jws()}\r\n`))).status).toBe(200);
  });

  test('by a trusted issuer’s key is accepted', async () => {
    const own = createFakeBank(rsa, 'RS256');
    const jku = `https://${ISSUER}/jwks.json`;
    own.web.serve(jku, JSON.stringify({ keys: [jwkOf(rsa)] }));

    expect((await decodeFrom(own, own.code(cob(), { jku }))).status).toBe(200);
  });
});

function signedBy(key: KeyPair, alg: string): [FakeBank, string] {
  const own = createFakeBank(key, alg);
  return [own, own.code()];
}

describe('an invalid signature', () => {
  test('over a changed charge is refused', async () => {
    const [head, , mark] = bank.jws().split('.');
    const other = Buffer.from(JSON.stringify(cob({ valor: { original: '1.00' } }))).toString('base64url');

    expect(await decodeFrom(bank, serveJws(bank.web, `${head}.${other}.${mark}`))).toMatchObject(WRONG);
  });

  test('over a changed header is refused', async () => {
    const [, content, mark] = bank.jws().split('.');
    const head = Buffer.from(JSON.stringify({ ...bank.header, typ: 'JOSE' })).toString('base64url');

    expect(await decodeFrom(bank, serveJws(bank.web, `${head}.${content}.${mark}`))).toMatchObject(WRONG);
  });

  test('by another signer is refused', async () => {
    const jws = jwsOf(bank.header, cob(), otherRsa.privateKey);

    expect(await decodeFrom(bank, serveJws(bank.web, jws))).toMatchObject(WRONG);
  });

  test.each([
    ['RS256', 'PS256'],
    ['RS256', 'RS512'],
    ['PS256', 'RS256'],
    ['PS384', 'PS256'],
  ])('declared as %s but made as %s is refused', async (alg, signedAs) => {
    const jws = jwsOf({ ...bank.header, alg }, cob(), rsa.privateKey, signedAs);

    expect(await decodeFrom(bank, serveJws(bank.web, jws))).toMatchObject(WRONG);
  });

  test('of an elliptic curve in ASN.1 or zeros is refused', async () => {
    const own = createFakeBank(p256, 'ES256');
    const [head, content] = own.jws().split('.');
    const marks = [Buffer.alloc(64), Buffer.alloc(63, 1), Buffer.from('3006020101020101', 'hex')];
    for (const mark of marks) {
      const jws = `${head}.${content}.${mark.toString('base64url')}`;
      expect(await decodeFrom(own, serveJws(own.web, jws))).toMatchObject(WRONG);
    }
  });

  test('by PS256 with excess salt is refused (RFC 7518, 3.5)', async () => {
    const [head, content] = jwsOf({ ...bank.header, alg: 'PS256' }, cob(), rsa.privateKey).split('.');
    const mark = sign('sha256', Buffer.from(`${head}.${content}`), {
      key: rsa.privateKey,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_MAX_SIGN,
    });
    const jws = `${head}.${content}.${mark.toString('base64url')}`;

    expect(await decodeFrom(bank, serveJws(bank.web, jws))).toMatchObject(WRONG);
  });

  test.each(['HS256', 'HS512'])('by %s with the public key as secret is refused', async (alg) => {
    const head = Buffer.from(JSON.stringify({ ...bank.header, alg })).toString('base64url');
    const signed = `${head}.${Buffer.from(JSON.stringify(cob())).toString('base64url')}`;
    const secret = rsa.publicKey.export({ format: 'pem', type: 'spki' });
    const mark = createHmac(`sha${alg.slice(2)}`, secret)
      .update(signed)
      .digest('base64url');

    expect(await decodeFrom(bank, serveJws(bank.web, `${signed}.${mark}`))).toMatchObject(UNSIGNED);
  });

  test.each(['none', 'None', 'rs256', 'EdDSA', 'ES256K', 'RSA-OAEP', undefined])(
    'under the algorithm %s is refused',
    async (alg) => {
      const jws = jwsOf({ ...bank.header, alg }, cob(), rsa.privateKey, 'RS256');

      expect(await decodeFrom(bank, serveJws(bank.web, jws))).toMatchObject(UNSIGNED);
    },
  );

  test.each([
    ['ES256', 'a key on another curve', p384],
    ['ES384', 'a key on another curve', p256],
    ['ES512', 'an RSA key', rsa],
    ['RS256', 'a key on an elliptic curve', p256],
    ['PS256', 'a weak key', newRsaKey(1024)],
    ['RS256', 'a weak key', newRsaKey(2040)],
  ])('by %s with %s is refused', async (alg, _what, key) => {
    const own = createFakeBank(rsa, 'RS256');
    own.publish(jwkOf(key));
    const jws = jwsOf({ ...own.header, alg }, cob(), alg.startsWith('ES') ? p256.privateKey : rsa.privateKey);

    expect(await decodeFrom(own, serveJws(own.web, jws))).toMatchObject(NO_KEY);
  });

  test('by a key of excessive cost is refused', async () => {
    const own = createFakeBank(rsa, 'RS256');
    const exponent = Buffer.alloc(256, 0xff).toString('base64url');
    for (const changes of [
      { e: exponent },
      { e: 'AQ' },
      { n: Buffer.alloc(2000, 0xff).toString('base64url') },
    ]) {
      own.publish(jwkOf(rsa, changes));
      expect(await decodeFrom(own, own.code())).toMatchObject(NO_KEY);
    }
  });

  test.each([
    ['for encryption', { use: 'enc' }],
    ['for another operation', { key_ops: ['encrypt'] }],
    ['for another algorithm', { alg: 'RS512' }],
    ['under another kid', { kid: 'k2' }],
    ['without a kid', { kid: undefined }],
    ['without a modulus', { n: undefined }],
    ['with a modulus of one', { n: 'AQ' }],
    ['of an unknown type', { kty: 'PQC' }],
  ])('is refused when the bank’s key is %s', async (_what, changes) => {
    const own = createFakeBank(rsa, 'RS256');
    own.publish(jwkOf(rsa, changes));

    expect(await decodeFrom(own, own.code())).toMatchObject(NO_KEY);
  });

  test('by a key with an off-curve point is refused', async () => {
    const own = createFakeBank(p256, 'ES256');
    own.publish(jwkOf(p256, { x: Buffer.alloc(32, 1).toString('base64url') }));

    expect(await decodeFrom(own, own.code())).toMatchObject(NO_KEY);
  });

  test.each(['', '{}', '{"keys":1}', '[]', 'null', '<html>', '\xff'])(
    'is refused when the bank’s keys read %j',
    async (body) => {
      const own = createFakeBank(rsa, 'RS256');
      own.web.serve(KEYS_URL, Buffer.from(body, 'latin1'));

      expect(await decodeFrom(own, own.code())).toMatchObject(
        invalid('the keys of the bank behind the code can’t be read'),
      );
    },
  );
});
