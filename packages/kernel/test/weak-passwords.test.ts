import { expect, test } from '@jest/globals';
import { weaknessOf } from '../src/weak-passwords.ts';

const about = ['Padaria São João Ltda.', 'maria.souza@padariasaojoao.com.br'];

test.each([
  ['password', 'common'],
  ['12345678', 'common'],
  ['Senha123', 'common'],
  ['IloveYou!', 'common'],
  ['sunshine99', 'common'],
  ['aaaaaaaaaaaa', 'common'],
  ['abcabcabcabc', 'common'],
  ['padaria2026', 'personal'],
  ['SãoJoão1', 'personal'],
  ['PadariaSaoJoao!', 'personal'],
  ['maria.souza1', 'personal'],
  ['maria-vende-pão-quente', null],
  ['uma senha longa', null],
  ['correct horse battery', null],
])('the password %s is judged %s', (password, weakness) => {
  expect(weaknessOf(password, about)).toBe(weakness);
});

test('words of an account count only with that account', () => {
  expect([weaknessOf('padaria2026'), weaknessOf('padaria2026', ['Oficina'])]).toEqual([null, null]);
});
