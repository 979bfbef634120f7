import { generateCnpj, generateCpf, getPixKeyInfo } from '@brazilian-utils/brazilian-utils';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalisePixKey, type PixKeyType, pixKeyTypeOf } from '../src/index.ts';
import { email, evp, mobile, pixKey } from './codes.ts';

const TYPES = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'] as const;

describe('Pix key normalisation', () => {
  test.each<[PixKeyType, string, string]>([
    ['CPF', '111.444.777-35', '11144477735'],
    ['CPF', ' 11144477735 ', '11144477735'],
    ['CNPJ', '00.038.166/0001-05', '00038166000105'],
    ['CNPJ', '12.abc.345/01de-35', '12ABC34501DE35'],
    ['EMAIL', ' Fulano@Example.COM ', 'fulano@example.com'],
    ['PHONE', '(11) 99999-9999', '+5511999999999'],
    ['PHONE', '11999999999', '+5511999999999'],
    ['PHONE', '1133334444', '+551133334444'],
    ['PHONE', '5511999999999', '+5511999999999'],
    ['PHONE', '55999999999', '+5555999999999'],
    ['PHONE', '+55 (11) 99999-9999', '+5511999999999'],
    ['PHONE', '011 99999-9999', '+5511999999999'],
    ['PHONE', '0055 11 99999-9999', '+5511999999999'],
    ['PHONE', '551187654321', '+551187654321'],
    ['PHONE', '(55) 99999-9999', '+5555999999999'],
    ['PHONE', '+1 212 555 0100', '+12125550100'],
    ['EVP', '123E4567-E12B-12D1-A456-426655440000', '123e4567-e12b-12d1-a456-426655440000'],
    ['CPF', '\u202a111.444.777\u201335\u202c', '11144477735'],
    ['CNPJ', '12.abc.345/01de\u201135\u200b', '12ABC34501DE35'],
    ['EMAIL', 'fulano@example.com\u200b', 'fulano@example.com'],
    ['EMAIL', '\u2068fulano\u2011loja@example.com\u2069', 'fulano-loja@example.com'],
    ['PHONE', '\u202a+55 (11) 99999\u20119999\u202c', '+5511999999999'],
    [
      'EVP',
      '123e4567\u2011e12b\u201112d1\u2013a456\u2212426655440000\u200b',
      '123e4567-e12b-12d1-a456-426655440000',
    ],
  ])('%s %j becomes %s', (type, raw, key) => {
    expect(normalisePixKey(type, raw)).toBe(key);
  });

  test.each<[PixKeyType, string]>([
    ['CPF', ''],
    ['CPF', '1114447773'],
    ['CPF', '00038166000105'],
    ['CNPJ', '12ABC34501DEAA'],
    ['CNPJ', '11144477735'],
    ['EMAIL', 'fulano'],
    ['EMAIL', 'fulano@'],
    ['EMAIL', 'fulano@exa mple.com'],
    ['EMAIL', 'joão@example.com'],
    ['EMAIL', `${'a'.repeat(70)}@loja.com`],
    ['PHONE', '999999999'],
    ['PHONE', '01999999999'],
    ['PHONE', '351912345678'],
    ['PHONE', '+55119999'],
    ['PHONE', '+5511999999999999'],
    ['PHONE', '++5511999999999'],
    ['EVP', '123e4567e12b12d1a456426655440000'],
    ['EVP', '{123e4567-e12b-12d1-a456-426655440000}'],
  ])('%s "%s" is refused', (type, raw) => {
    expect(normalisePixKey(type, raw)).toBeNull();
  });

  test('a normalised key stays the same and keeps its type', () => {
    fc.assert(
      fc.property(pixKey, (key) => {
        const type = pixKeyTypeOf(key);

        expect(type && normalisePixKey(type, key)).toBe(key);
      }),
    );
  });

  test('any text gives a valid key or null', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), fc.string({ unit: 'binary' }), (type, raw) => {
        const key = normalisePixKey(type, raw);

        expect(key === null || (key.length <= 77 && pixKeyTypeOf(key) === type)).toBe(true);
      }),
    );
  });
});

describe('the type of a key', () => {
  test.each<[string, PixKeyType | null]>([
    ['11144477735', 'CPF'],
    ['11999999999', 'CPF'],
    ['00038166000105', 'CNPJ'],
    ['12ABC34501DE35', 'CNPJ'],
    ['arya@stark.com', 'EMAIL'],
    ['+5511999999999', 'PHONE'],
    ['11111111-1111-1111-1111-111111111111', 'EVP'],
    ['123E4567-E12B-12D1-A456-426655440000', 'EVP'],
    ['111.444.777-35', null],
    ['+55 11 99999-9999', null],
    ['5511999999999', null],
    ['', null],
  ])('of "%s" is %s', (key, type) => {
    expect(pixKeyTypeOf(key)).toBe(type);
  });

  test('agrees with another library on valid keys', () => {
    const cpf = fc.constant(0).map(() => generateCpf());
    const cnpj = fc.constantFrom(1 as const, 2 as const).map((version) => generateCnpj(version));

    fc.assert(
      fc.property(fc.oneof(cpf, cnpj, email, mobile, evp), (key) => {
        const info = getPixKeyInfo(key);

        expect([pixKeyTypeOf(key)?.toLowerCase(), key]).toEqual([info?.type, info?.value]);
      }),
    );
  });
});
