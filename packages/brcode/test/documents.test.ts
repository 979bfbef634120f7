import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasCnpjShape, hasCpfShape, isCnpj, isCpf, normaliseDocument } from '../src/index.ts';

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
const alphanumerics = (length: number) =>
  fc.string({
    unit: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
    minLength: length,
    maxLength: length,
  });

function everyEnding(base: string): string[] {
  return Array.from({ length: 100 }, (_, ending) => `${base}${String(ending).padStart(2, '0')}`);
}

describe('CPF validation', () => {
  test.each(['52513127765', '52599927765', '11144477735', '12345678909'])('accepts %s as a CPF', (cpf) => {
    expect([isCpf(cpf), hasCpfShape(cpf)]).toEqual([true, true]);
  });

  test.each(['00000000000', '11111111111', '11144477705', '11144477732'])(
    'refuses %s with the shape of a CPF',
    (cpf) => {
      expect([isCpf(cpf), hasCpfShape(cpf)]).toEqual([false, true]);
    },
  );

  test.each(['', '1114447773', '111444777350', '111.444.777-35', '11144477735\n', '１１１４４４７７７３５'])(
    'finds no shape of a CPF in %j',
    (text) => {
      expect([isCpf(text), hasCpfShape(text)]).toEqual([false, false]);
    },
  );

  test('agrees with another library on all CPF check digits', () => {
    fc.assert(
      fc.property(digits(9), (base) => {
        const endings = everyEnding(base);
        expect(endings.filter(isCpf)).toEqual(endings.filter((cpf) => isValidCpf(cpf)));
      }),
    );
  });
});

describe('CNPJ validation', () => {
  test.each(['12ABC34501DE35', 'Z46ABC88000164', '34665388000161', '01838723000127', '00038166000105'])(
    'accepts %s as a CNPJ',
    (cnpj) => {
      expect([isCnpj(cnpj), hasCnpjShape(cnpj)]).toEqual([true, true]);
    },
  );

  test.each(['52599927000100', '11111111111111', '00000000000000', '12ABC34501DE36'])(
    'refuses %s with the shape of a CNPJ',
    (cnpj) => {
      expect([isCnpj(cnpj), hasCnpjShape(cnpj)]).toEqual([false, true]);
    },
  );

  test.each(['', '12ABC34501DEAA', '12abc34501de35', '00.038.166/0001-05', '0003816600010'])(
    'finds no shape of a CNPJ in %j',
    (text) => {
      expect([isCnpj(text), hasCnpjShape(text)]).toEqual([false, false]);
    },
  );

  test('agrees with another library on all CNPJ check digits', () => {
    fc.assert(
      fc.property(fc.oneof(digits(12), alphanumerics(12)), (base) => {
        const endings = everyEnding(base);
        expect(endings.filter(isCnpj)).toEqual(endings.filter((cnpj) => isValidCnpj(cnpj, { version: 2 })));
      }),
    );
  });
});

test.each([
  ['111.444.777-35', '11144477735'],
  ['00.038.166/0001-05', '00038166000105'],
  [' 12.abc.345/01de-35 ', '12ABC34501DE35'],
  ['123.456.789\u201109', '12345678909'],
  ['123.456.789\u201309', '12345678909'],
  ['123.456.789\u221209', '12345678909'],
  ['123.456.789-09\u200b', '12345678909'],
  ['123.456.\u00ad789-09', '12345678909'],
  ['\u202a12.abc.345/01de\u201135\u202c', '12ABC34501DE35'],
])('the document %j is stored as %s', (masked, stored) => {
  expect(normaliseDocument(masked)).toBe(stored);
});
