import { expect, test } from '@jest/globals';
import { crc16 } from '../src/crc.ts';
import published from './vectors.json' with { type: 'json' };

test('the check value of CRC-16/CCITT-FALSE is correct', () => {
  const bytes = Buffer.from('123456789', 'ascii');

  const crc = crc16(bytes);

  expect(crc).toBe('29B1');
});

test('a small checksum keeps its leading zeros', () => {
  const checksums = Array.from({ length: 4096 }, (_, index) => crc16(Buffer.from(String(index))));

  expect(checksums.every((checksum) => /^[0-9A-F]{4}$/.test(checksum))).toBe(true);
  expect(checksums.some((checksum) => checksum.startsWith('0'))).toBe(true);
});

test.each(published.vectors)('the checksum of the published code $id is $crcComputedUtf8', (vector) => {
  const covered = Buffer.from(vector.brcode.slice(0, -4), 'utf8');

  const crc = crc16(covered);

  expect(crc).toBe(vector.crcComputedUtf8);
  expect(crc === vector.brcode.slice(-4)).toBe(vector.crcOk);
});
