import { expect, test } from '@jest/globals';
import { operatorOrigins } from '../src/relying-party.ts';

test.each([
  ['', null],
  [undefined, null],
  ['https://operadores.loja.example', ['operadores.loja.example', 'https://operadores.loja.example']],
  ['http://localhost:8081', ['localhost', 'http://localhost:8081']],
  [
    'https://loja.example, https://operadores.loja.example:8443',
    ['loja.example', 'https://loja.example', 'https://operadores.loja.example:8443'],
  ],
])('the origins %j are accepted', (text, expected) => {
  const party = operatorOrigins.parse(text);

  expect(party && [party.id, ...party.origins]).toEqual(expected);
});

test.each([
  ['http://operadores.loja.example', 'must be origins'],
  ['http://127.0.0.1:8081', 'must be origins'],
  ['https://[::1]', 'must be origins'],
  ['https://loja.example/painel', 'must be origins'],
  ['https://loja.example/', 'must be origins'],
  ['loja.example', 'must be origins'],
  ['https://operadores.loja.example, https://loja.example', 'must be the first host'],
  ['https://loja.example, https://outraloja.example', 'must be the first host'],
])('the origins %j are refused', (text, message) => {
  expect(() => operatorOrigins.parse(text)).toThrow(message);
});
