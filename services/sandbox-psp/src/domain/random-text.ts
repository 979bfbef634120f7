import { randomInt } from 'node:crypto';

const DIGITS = '0123456789';
const ALPHABET = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz${DIGITS}`;

export function randomText(length: number): string {
  return pick(ALPHABET, length);
}

export function randomDigits(length: number): string {
  return pick(DIGITS, length);
}

function pick(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}
