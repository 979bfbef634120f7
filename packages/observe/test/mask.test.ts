import { expect, test } from '@jest/globals';
import { mask } from '../src/index.ts';

/**
 * Beginnings of every masked pattern. A match can start at each of them, but none of them is a complete
 * match.
 */
const beginnings = [
  ...['-eyJ', 'eyJ', '.eyJaaaaaaaaaa', 'eyJaaaaaaaaaa.bbbbbbbbbb ', '-sk_live_', '-whsec_', 'Bearer '],
  ...['$argon2', '$argon2a', '$argon2a$', '://', '://a:', '://a:b', 'a@', '@', 'a', 'a.', 'a@b.', '.a@b'],
  ...['"key":"', '"key":"\\', '\\"key\\":\\"', '\\"key\\":\\"\\\\\\', '"key" ', '\\', '\t:', ' '],
  ...['1', '-1', '12-', '1111 ', '+1234567890', '":1', '":-1.', '1A', 'A1', 'a1', '0a', '(11)9', '55 11 9'],
  ...['abcdef01', '12345678-', 'E1234567820', 'aaaaaaaa-aaaa-aaaa-aaaa-'],
];

const size = 128 * 1024;
const filled = (piece: string) => piece.repeat(size / piece.length + 1).slice(0, size);

function cpuMsOf(text: string): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    mask(text);
    return process.cpuUsage(before).user / 1_000;
  });
  return Math.min(...times);
}

test.each(beginnings)('128 KiB of %s take linear time', (beginning) => {
  // A pattern that takes quadratic time would take seconds here.
  expect(cpuMsOf(filled(beginning))).toBeLessThan(40 * Math.max(10, cpuMsOf(filled('the order was lost '))));
});

test.each([
  ['x-eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl', 'x-[token]'],
  ['eyJhbGciOiJIUzI1-eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl', '[token]'],
  ['eyJhbGciOiJIUzI1.eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl', '[token].c2lnbmF0dXJl'],
  ['eyJhbGciOiJIUzI1 is half of one', 'eyJhbGciOiJIUzI1 is half of one'],
  ['a@b@maria@loja.example', 'a@b@[e-mail]'],
  [`${'m'.repeat(100)}@loja.example`, '[e-mail]'],
  ['maria@loja', 'maria@loja'],
])('%s is masked as %s', (text, written) => {
  expect(mask(text)).toBe(written);
});
