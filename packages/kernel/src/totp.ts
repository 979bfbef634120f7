import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS_OF_A_LETTER = 5;
/** RFC 4226 recommends secrets of 160 bits. */
const SECRET_BYTES = 20;
/** Clocks may differ by one step, so the codes of the neighbouring steps are valid too. */
const DRIFT = [-1, 0, 1];

/** Returns the number of the 30-second step that contains this time. */
export function totpStepAt(now: Date): number {
  return Math.floor(now.getTime() / STEP_MS);
}

/** Returns the six digits of a step, by RFC 6238 with SHA-1. `secret` is in base32. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

/**
 * Returns the step of a code. Returns null for a wrong code, and for a code of the step `after` or an earlier
 * one, because each code works once.
 */
export function stepOfTotp(
  secret: string,
  code: string,
  { now, after }: { now: Date; after: number },
): number | null {
  const given = Buffer.from(code);
  const isCodeOf = (step: number) => {
    const expected = Buffer.from(totpCode(secret, step));
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  const steps = DRIFT.map((drift) => totpStepAt(now) + drift);
  return steps.find((step) => step > after && isCodeOf(step)) ?? null;
}

export function newTotpSecret(): string {
  return base32(randomBytes(SECRET_BYTES));
}

/** Returns the `otpauth` address with which authenticator apps add an account. */
export function otpauthOf(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

/** Writes bytes in base32 (RFC 4648) without padding. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(BITS_OF_A_LETTER, '0'), 2)]).join('');
}

function bytesOf(text: string): Buffer {
  const bits = [...text].map((letter) =>
    ALPHABET.indexOf(letter).toString(2).padStart(BITS_OF_A_LETTER, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
