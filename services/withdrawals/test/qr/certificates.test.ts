import { beforeAll, describe, expect, test } from '@jest/globals';
import { worldOfFile } from '@plataforma/testing/world';
import { cob, createFakeBank, type FakeBank, newRsaKey } from '../support/qr-bank.ts';
import { certificateOf, thumbprint } from '../support/qr-certificates.ts';
import { startDecoder } from '../support/qr-decoder.ts';

const key = newRsaKey();
const otherKey = newRsaKey();
const bank: FakeBank = createFakeBank(key, 'RS256');
const decoder = worldOfFile(() => startDecoder({ guarded: bank.web }));
let der: Buffer;
let otherDer: Buffer;

beforeAll(async () => {
  [der, otherDer] = await Promise.all([certificateOf(key), certificateOf(otherKey)]);
});

const NO_KEY = 'the bank behind the code has no key that fits its signature';
const WRONG = 'the certificate of the bank behind the code is not that of its key';

const jwk = (changes: object = {}) => ({
  ...key.publicKey.export({ format: 'jwk' }),
  kid: 'k1',
  ...changes,
});

async function messageOf(header: Record<string, unknown>, ...keys: Record<string, unknown>[]) {
  bank.publish(...keys);
  const { status, error } = await decoder.decode(bank.code(cob(), header));
  return status === 200 ? 'fine' : error?.message;
}

describe.each(['sha1', 'sha256'] as const)('a thumbprint by %s', (hash) => {
  const name = hash === 'sha1' ? 'x5t' : 'x5t#S256';
  const of = (certificate: Buffer) => thumbprint(certificate, hash);

  test.each(['base64', 'base64url', 'base64 in lines'])('is compared as bytes, in %s', async (form) => {
    const written =
      form === 'base64 in lines'
        ? of(der)
            .toString('base64')
            .replace(/(.{8})/g, '$1\n')
        : of(der).toString(form === 'base64' ? 'base64' : 'base64url');
    const other = of(der).toString('base64url');

    expect(await messageOf({ [name]: written }, jwk({ [name]: other }))).toBe('fine');
    expect(await messageOf({ [name]: other }, jwk({ [name]: written }))).toBe('fine');
    expect(await messageOf({ [name]: written }, jwk({ x5c: [der.toString('base64')] }))).toBe('fine');
  });

  test('selects between keys with the same id', async () => {
    const [right, wrong] = [der, otherDer].map((certificate) => of(certificate).toString('base64url'));
    const other = { ...otherKey.publicKey.export({ format: 'jwk' }), kid: 'k1', [name]: wrong };

    expect(await messageOf({ [name]: right }, other, jwk({ [name]: right }))).toBe('fine');
  });

  test('of another certificate is refused', async () => {
    const [right, wrong] = [der, otherDer].map((certificate) => of(certificate).toString('base64url'));
    const x5c = [der.toString('base64')];

    expect(await messageOf({ [name]: wrong }, jwk({ [name]: right }))).toBe(NO_KEY);
    expect(await messageOf({ [name]: wrong }, jwk({ x5c }))).toBe(NO_KEY);
    expect(await messageOf({ [name]: wrong, x5c }, jwk())).toBe(NO_KEY);
    expect(await messageOf({ x5c }, jwk({ [name]: wrong }))).toBe(NO_KEY);
  });

  test('without a counterpart is accepted', async () => {
    expect(await messageOf({ [name]: of(der).toString('base64url') }, jwk())).toBe('fine');
    expect(await messageOf({}, jwk({ [name]: of(der).toString('base64url') }))).toBe('fine');
  });
});

describe('certificates', () => {
  test('of the key are accepted anywhere, even with line breaks', async () => {
    const x5c = [der.toString('base64').replace(/(.{64})/g, '$1\r\n'), otherDer.toString('base64')];

    expect(await messageOf({ x5c }, jwk())).toBe('fine');
    expect(await messageOf({}, jwk({ x5c }))).toBe('fine');
    expect(await messageOf({ x5c }, jwk({ x5c }))).toBe('fine');
    expect(await messageOf({ x5c: [] }, jwk({ x5c: [] }))).toBe('fine');
  });

  test.each(['another’s', 'none'])('that are %s are refused', async (whose) => {
    const x5c = [whose === 'none' ? 'AAAA' : otherDer.toString('base64')];

    expect(await messageOf({ x5c }, jwk())).toBe(WRONG);
    expect(await messageOf({}, jwk({ x5c }))).toBe(WRONG);
  });
});
