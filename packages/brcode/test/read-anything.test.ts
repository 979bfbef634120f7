import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCode } from '../src/index.ts';
import { pixKey, plainName, sealed } from './codes.ts';
import published from './vectors.json' with { type: 'json' };

const RUNS = { numRuns: 2000 };
const valid = published.vectors.filter(({ status }) => status !== 'invalid').map(({ brcode }) => brcode);
const validCode = fc.constantFrom(...valid);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc.string({ unit: fc.constantFrom(...'0123456789AF'), maxLength: 600 }),
);

/** A valid code with up to four short passages replaced. */
const mutant = fc
  .tuple(
    validCode,
    fc.array(
      fc.tuple(
        fc.nat(270),
        fc.nat(8),
        fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), pixKey, plainName),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  )
  .map(([code, edits]) =>
    edits.reduce((text, [at, length, put]) => text.slice(0, at) + put + text.slice(at + length), code),
  );

function isWellFormed(text: unknown): boolean {
  const result = readCode(text);
  if (!result.ok) return /^[A-Z_]+$/.test(result.reason) && result.message !== '';
  const { amount, merchantName, merchantCity, txid } = result.code;
  return (
    (amount === null || (Number.isSafeInteger(amount) && amount > 0)) &&
    merchantName.length >= 1 &&
    merchantName.length <= 25 &&
    merchantCity.length >= 1 &&
    merchantCity.length <= 15 &&
    (txid === null || txid.length <= 25)
  );
}

describe('the Pix code reader', () => {
  test('gives a result for a value of any kind', () => {
    fc.assert(fc.property(fc.anything(), isWellFormed), RUNS);
  });

  test('gives a result for any text', () => {
    fc.assert(fc.property(anyText, isWellFormed), RUNS);
  });

  test('gives a result for any text with a right checksum', () => {
    fc.assert(
      fc.property(anyText, (text) => isWellFormed(sealed(text))),
      RUNS,
    );
  });

  test('gives a result for a mutated code', () => {
    fc.assert(fc.property(mutant, isWellFormed), RUNS);
  });

  test('gives a result for a resealed mutated code', () => {
    fc.assert(
      fc.property(mutant, (text) => isWellFormed(sealed(text.slice(0, -8)))),
      RUNS,
    );
  });

  test('gives a result for a resealed code with another digit', () => {
    const changed = fc.tuple(validCode, fc.nat(270), fc.constantFrom(...'0123456789'));

    fc.assert(
      fc.property(changed, ([code, position, digit]) => {
        const at = position % (code.length - 8);
        return isWellFormed(sealed(code.slice(0, at) + digit + code.slice(at + 1, -8)));
      }),
      RUNS,
    );
  });

  test('refuses a code with one changed character', () => {
    const printable = fc.integer({ min: 0x21, max: 0x7e }).map((point) => String.fromCharCode(point));

    fc.assert(
      fc.property(validCode, fc.nat(270), printable, (code, position, character) => {
        const at = position % code.length;
        fc.pre(code.charAt(at).toUpperCase() !== character.toUpperCase());
        return !readCode(code.slice(0, at) + character + code.slice(at + 1)).ok;
      }),
      RUNS,
    );
  });

  test('refuses a cut code', () => {
    fc.assert(
      fc.property(
        validCode,
        fc.nat(270),
        (code, position) => !readCode(code.slice(0, position % code.length)).ok,
      ),
    );
  });

  test('refuses a megabyte of text at once', () => {
    const result = readCode('0'.repeat(1_000_000));

    expect(result).toMatchObject({ ok: false, reason: 'TOO_LONG' });
  });
});
