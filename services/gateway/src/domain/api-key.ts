import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '@plataforma/kernel';

const prefixes: Record<Environment, string> = { sandbox: 'sk_sandbox_', production: 'sk_live_' };
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;
const VISIBLE_LENGTH = 4;
const SHAPE = new RegExp(
  `^(sk_sandbox_|sk_live_)([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})$`,
);

/**
 * Creates an API key: the prefix, 32 random base62 characters (190 bits), and the CRC-32 of both in base62.
 * The checksum lets the gateway refuse a typo without a query, and lets leak scanners recognise keys.
 */
export function newKey(environment: Environment): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length))).join(
    '',
  );
  const start = prefixes[environment] + random;
  return start + checkOf(start);
}

/** Returns whether a text has the form and the checksum of an API key. */
export function isWellFormedKey(text: string): boolean {
  const match = SHAPE.exec(text);
  return match !== null && checkOf(`${match[1]}${match[2]}`) === match[3];
}

/** Returns the SHA-256 of a secret, which is stored instead of the secret. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function maskedKey(key: string, environment: Environment): string {
  return `${prefixes[environment]}${'*'.repeat(8)}${key.slice(-VISIBLE_LENGTH)}`;
}

function checkOf(text: string): string {
  let rest = crc32(text);
  let check = '';
  while (check.length < CHECK_LENGTH) {
    check = BASE62.charAt(rest % BASE62.length) + check;
    rest = Math.floor(rest / BASE62.length);
  }
  return check;
}
