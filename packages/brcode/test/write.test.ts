import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readCode, writeDynamicCode, writeStaticCode } from '../src/index.ts';
import * as codes from './codes.ts';
import published from './vectors.json' with { type: 'json' };

const EVP = codes.EVP;
const merchant = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' };

function publishedCode(id: string) {
  return published.vectors.find((vector) => vector.id === id)?.brcode;
}

describe('the samples of the manual', () => {
  test('the static sample is written exactly', () => {
    const code = writeStaticCode({ ...merchant, pixKey: EVP });

    expect(code).toBe(publishedCode('S1'));
  });

  test('the dynamic sample is written exactly', () => {
    const location = 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441';

    const code = writeDynamicCode({ ...merchant, location });

    expect(code).toBe(publishedCode('D1'));
  });

  test('a published code with long texts is written exactly', () => {
    const code = writeStaticCode({
      pixKey: 'arya@stark.com',
      merchantName: 'Arya Stark with a very long name',
      merchantCity: 'Pindamonhangaba',
      amount: 12500,
      txid: 'verylongreconciliationidt',
    });

    expect(code).toBe(publishedCode('S5'));
  });
});

describe('round trips', () => {
  test('a static code reads as it was written', () => {
    const input = fc.record(
      {
        pixKey: codes.pixKey,
        merchantName: codes.plainName,
        merchantCity: codes.plainCity,
        amount: codes.cents,
        txid: codes.txid,
      },
      { requiredKeys: ['pixKey', 'merchantName', 'merchantCity'] },
    );

    fc.assert(
      fc.property(input, (written) => {
        expect(codes.codeOf(writeStaticCode(written))).toEqual({
          kind: 'static',
          amount: null,
          txid: null,
          warnings: [],
          ...written,
        });
      }),
    );
  });

  test('a dynamic code reads as it was written', () => {
    fc.assert(
      fc.property(
        codes.location,
        codes.plainName,
        codes.plainCity,
        (location, merchantName, merchantCity) => {
          expect(codes.codeOf(writeDynamicCode({ location, merchantName, merchantCity }))).toEqual({
            kind: 'dynamic',
            url: location,
            merchantName,
            merchantCity,
            amount: null,
            txid: null,
            warnings: [],
          });
        },
      ),
    );
  });

  test('any texts give a readable ASCII code, or are refused', () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 120 }), fc.lorem());
    const input = fc.record({ pixKey: codes.pixKey, merchantName: text, merchantCity: text, info: text });

    fc.assert(
      fc.property(input, (written) => {
        try {
          const code = writeStaticCode({ ...written, amount: 999_999_999_999, txid: 'x'.repeat(25) });
          expect(code).toMatch(/^[ -~]{1,512}$/);
          expect(readCode(code).ok).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });

  test('tags are in ascending order', () => {
    const code = writeStaticCode({ ...merchant, pixKey: EVP, amount: 1, txid: 'a1', info: 'Pedido 1' });

    const tags: string[] = [];
    for (let at = 0; at < code.length; at += 4 + Number(code.slice(at + 2, at + 4)))
      tags.push(code.slice(at, at + 2));

    expect(tags).toEqual(['00', '26', '52', '53', '54', '58', '59', '60', '62', '63']);
  });
});

describe('texts', () => {
  test.each([
    ['Bárbara Pelé', 'Barbara Pele'],
    ['Açaí & Cia', 'Acai e Cia'],
    ['Ação  –  Comércio', 'Acao - Comercio'],
    ['Æon Straße Łódź', 'AEon Strasse Lodz'],
    ['D’Ávila', "D'Avila"],
    ['Loja nº 1 😀 *', 'Loja no 1'],
    ['Abcdefghijklmnopqrstuvwx yz', 'Abcdefghijklmnopqrstuvwx'],
  ])('the name "%s" is written "%s"', (merchantName, written) => {
    const code = writeStaticCode({ ...merchant, merchantName, pixKey: EVP });

    expect(code).toContain(`5802BR${codes.field('59', written)}60`);
  });

  test('the city is cut to 15 characters and trimmed', () => {
    const code = codes.codeOf(
      writeStaticCode({ ...merchant, merchantCity: 'São José dos Pinhais', pixKey: EVP }),
    );

    expect(code.merchantCity).toBe('Sao Jose dos Pi');
  });

  test.each([
    [EVP, 37],
    ['11144477735', 62],
    ['a@b', 70],
    [`${'a'.repeat(60)}@loja.com.br`, 1],
    [`${'a'.repeat(64)}@loja.com.br`, 0],
  ])('the key %s leaves room for %i characters of text', (pixKey, room) => {
    const code = codes.codeOf(writeStaticCode({ ...merchant, pixKey, info: 'x'.repeat(80) }));

    expect(code).toMatchObject({ pixKey, ...(room > 0 && { info: 'x'.repeat(room) }) });
    expect('info' in code).toBe(room > 0);
  });

  test('a key in capitals is written in lower case', () => {
    const code = codes.codeOf(writeStaticCode({ ...merchant, pixKey: EVP.toUpperCase() }));

    expect(code).toMatchObject({ pixKey: EVP });
  });
});

describe('amounts', () => {
  test.each([
    [1, '54040.01'],
    [10, '54040.10'],
    [120, '54041.20'],
    [100000, '54071000.00'],
    [999_999_999_999, '54139999999999.99'],
  ])('%i cents are written %s', (amount, written) => {
    const code = writeStaticCode({ ...merchant, pixKey: EVP, amount });

    expect(code).toContain(`5303986${written}5802BR`);
  });
});

describe('invalid input of the writer', () => {
  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1_000_000_000_000])(
    'throws for the amount %p',
    (amount) => {
      expect(() => writeStaticCode({ ...merchant, pixKey: EVP, amount })).toThrow(RangeError);
    },
  );

  test.each(['', '***', 'a b', 'a-b', 'x'.repeat(26)])('throws for the txid "%s"', (txid) => {
    expect(() => writeStaticCode({ ...merchant, pixKey: EVP, txid })).toThrow(RangeError);
  });

  test.each(['', 'nobody', '111.444.777-35', '(11) 99999-9999', `${'a'.repeat(70)}@loja.com`])(
    'throws for the key "%s"',
    (pixKey) => {
      expect(() => writeStaticCode({ ...merchant, pixKey })).toThrow(RangeError);
    },
  );

  test.each(['', 'https://pix.example.com/x', 'pix.example.com', `a.com/${'x'.repeat(72)}`])(
    'throws for the location "%s"',
    (location) => {
      expect(() => writeDynamicCode({ ...merchant, location })).toThrow(/^location must be/);
    },
  );

  test.each(['', '   ', '株式会社'])('throws for the name "%s"', (merchantName) => {
    expect(() => writeStaticCode({ ...merchant, merchantName, pixKey: EVP })).toThrow(RangeError);
  });
});
