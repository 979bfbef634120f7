import { generatePixPayload, getPixPayloadInfo } from '@brazilian-utils/brazilian-utils';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCode, writeDynamicCode, writeStaticCode } from '../src/index.ts';
import * as codes from './codes.ts';
import published from './vectors.json' with { type: 'json' };

function cents(reais: number | undefined): number | null {
  return reais === undefined ? null : Math.round(reais * 100);
}

/**
 * Reads the code with an independent library, and converts the result to the shape of `readByUs`. The library
 * supports neither recurrences nor warnings.
 */
function readByOracle(code: string) {
  const read = getPixPayloadInfo(code);
  return (
    read && {
      destination: read.key ?? read.url,
      merchantName: read.merchantName,
      merchantCity: read.merchantCity,
      info: read.description,
      amount: cents(read.amount),
      txid: read.txid ?? null,
    }
  );
}

function readByUs(code: string) {
  const result = readCode(code);
  if (!result.ok || result.code.kind === 'recurrence') return null;
  const { merchantName, merchantCity, amount, txid } = result.code;
  return {
    destination: result.code.kind === 'static' ? result.code.pixKey : result.code.url,
    merchantName,
    merchantCity,
    info: result.code.kind === 'static' ? result.code.info : undefined,
    amount,
    txid,
  };
}

const reader = { merchantName: codes.plainName, merchantCity: codes.plainCity };
const staticInput = fc.record(
  { ...reader, pixKey: codes.pixKey, amount: fc.integer({ min: 1, max: 99_999_999_999 }), txid: codes.txid },
  { requiredKeys: ['pixKey', 'merchantName', 'merchantCity'] },
);

/**
 * The published codes that the independent library reads differently. It checks no length limits (X1, X5),
 * and refuses `https://` (X3).
 */
const DIFFERENT = new Set(['X1', 'X3', 'X5']);

const alike = published.vectors.filter(({ id }) => !DIFFERENT.has(id));

test.each(alike)('another library reads the published code $id the same way', ({ brcode }) => {
  expect(readByUs(brcode)).toEqual(readByOracle(brcode));
});

test('another library reads our static codes the same way', () => {
  fc.assert(
    fc.property(staticInput, (input) => {
      const code = writeStaticCode(input);

      expect(readByOracle(code)).not.toBeNull();
      expect(readByUs(code)).toEqual(readByOracle(code));
    }),
  );
});

test('another library reads our dynamic codes the same way', () => {
  fc.assert(
    fc.property(fc.record({ ...reader, location: codes.location }), (input) => {
      const code = writeDynamicCode(input);

      expect(readByOracle(code)).not.toBeNull();
      expect(readByUs(code)).toEqual(readByOracle(code));
    }),
  );
});

test('our static codes equal those of another library', () => {
  fc.assert(
    fc.property(staticInput, ({ pixKey, amount, ...input }) => {
      const theirs = generatePixPayload({ ...input, key: pixKey, ...(amount && { amount: amount / 100 }) });

      expect(writeStaticCode({ ...input, pixKey, amount })).toBe(theirs);
    }),
  );
});

test('our dynamic codes equal those of another library', () => {
  fc.assert(
    fc.property(fc.record({ ...reader, location: codes.location }), ({ location, ...input }) => {
      expect(writeDynamicCode({ ...input, location })).toBe(generatePixPayload({ ...input, url: location }));
    }),
  );
});
