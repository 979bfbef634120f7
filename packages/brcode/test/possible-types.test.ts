import { expect, test } from '@jest/globals';
import { type PixKeyType, possiblePixKeyTypes } from '../src/index.ts';

test.each<[string, readonly PixKeyType[]]>([
  ['52998224725', ['CPF', 'PHONE']],
  ['529.982.247-25', ['CPF']],
  ['(52) 99822-4725', ['PHONE']],
  ['+5552998224725', ['PHONE']],
  ['12345678909', ['CPF']],
  ['11987654321', ['PHONE']],
  ['11 98765-4321', ['PHONE']],
  ['1133334444', ['PHONE']],
  ['5511987654321', ['PHONE']],
  ['12345678901', ['CPF']],
  ['34.665.388/0001-61', ['CNPJ']],
  ['12abc34501de35', ['CNPJ']],
  [' Maria@Exemplo.com.br ', ['EMAIL']],
  ['123E4567-E12B-12D1-A456-426655440000', ['EVP']],
  ['maria@', []],
  ['123', []],
  ['', []],
])('the key %j can have the types %j', (typed, types) => {
  expect(possiblePixKeyTypes(typed)).toEqual(types);
});
