import { describe, expect, test } from '@jest/globals';
import { base32, newTotpSecret, otpauthOf, stepOfTotp, totpCode, totpStepAt } from '../src/totp.ts';

/** The secret of RFC 6238, appendix B. */
const SECRET = base32(Buffer.from('12345678901234567890'));

const at = (seconds: number) => new Date(seconds * 1_000);

describe('a code', () => {
  test.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at %d s has the last six digits of RFC 6238', (seconds, code) => {
    expect(totpCode(SECRET, totpStepAt(at(seconds)))).toBe(code);
  });

  test.each([
    ['of the step', 0, 0],
    ['of the step before', -30, -1],
    ['of the step after', 30, 1],
  ])('%s is accepted', (_of, seconds, drift) => {
    const now = at(1234567890);

    const code = totpCode(SECRET, totpStepAt(at(1234567890 + seconds)));

    expect(stepOfTotp(SECRET, code, { now, after: 0 })).toBe(totpStepAt(now) + drift);
  });

  test.each([-60, 60])('that is %d seconds away is refused', (seconds) => {
    const code = totpCode(SECRET, totpStepAt(at(1234567890 + seconds)));

    expect(stepOfTotp(SECRET, code, { now: at(1234567890), after: 0 })).toBeNull();
  });

  test('of a used or an earlier step is refused', () => {
    const now = at(1234567890);
    const step = totpStepAt(now);

    for (const earlier of [step - 1, step])
      expect(stepOfTotp(SECRET, totpCode(SECRET, earlier), { now, after: step })).toBeNull();
    expect(stepOfTotp(SECRET, totpCode(SECRET, step + 1), { now, after: step })).toBe(step + 1);
  });

  test.each(['', '12345', '0005924', 'abcdef', '００５９２４'])('%j is refused', (code) => {
    expect(stepOfTotp(SECRET, code, { now: at(1234567890), after: 0 })).toBeNull();
  });
});

describe('a secret', () => {
  test('has 160 random bits in base32', () => {
    const secrets = Array.from({ length: 100 }, newTotpSecret);

    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(secrets).size).toBe(100);
  });

  test('is written as in RFC 4648', () => {
    const written = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) =>
      base32(Buffer.from(text)),
    );

    expect(written).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']);
  });

  test('is in the address for authenticator apps', () => {
    expect(otpauthOf(SECRET, { issuer: 'Plata forma', account: 'ana+1@loja.example' })).toBe(
      `otpauth://totp/Plata%20forma:ana%2B1%40loja.example?secret=${SECRET}&issuer=Plata%20forma`,
    );
  });
});
