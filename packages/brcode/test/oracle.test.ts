import { generatePixPayload, getPixPayloadInfo } from '@brazilian-utils/brazilian-utils';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCode, writeDynamicCode, writeStaticCode } from '../src/index.ts';
import * as codes from './codes.ts';
import published from './vectors.json' with { type: 'json' };

function cents(reais: number | undefined): number | null {
  return reais === undefined ? null : Math.round(reais * 100);
}

/** The other reader's answer in our words; it knows no recurrences and no warnings. */
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

/** X1 and X5: the oracle holds no length limit on reading. X3: it refuses `https://`. */
const DIFFERENT = new Set(['X1', 'X3', 'X5']);

const alike = published.vectors.filter(({ id }) => !DIFFERENT.has(id));

test.each(alike)('both read the published code $id alike', ({ brcode }) => {
  expect(readByUs(brcode)).toEqual(readByOracle(brcode));
});

test('another reader reads our static codes as we do', () => {
  fc.assert(
    fc.property(staticInput, (input) => {
      const code = writeStaticCode(input);

      expect(readByOracle(code)).not.toBeNull();
      expect(readByUs(code)).toEqual(readByOracle(code));
    }),
  );
});

test('another reader reads our dynamic codes as we do', () => {
  fc.assert(
    fc.property(fc.record({ ...reader, location: codes.location }), (input) => {
      const code = writeDynamicCode(input);

      expect(readByOracle(code)).not.toBeNull();
      expect(readByUs(code)).toEqual(readByOracle(code));
    }),
  );
});

test("we write another writer's static codes to the letter", () => {
  fc.assert(
    fc.property(staticInput, ({ pixKey, amount, ...input }) => {
      const theirs = generatePixPayload({ ...input, key: pixKey, ...(amount && { amount: amount / 100 }) });

      expect(writeStaticCode({ ...input, pixKey, amount })).toBe(theirs);
    }),
  );
});

test("we write another writer's dynamic codes to the letter", () => {
  fc.assert(
    fc.property(fc.record({ ...reader, location: codes.location }), ({ location, ...input }) => {
      expect(writeDynamicCode({ ...input, location })).toBe(generatePixPayload({ ...input, url: location }));
    }),
  );
});
