import { describe, expect, test } from '@jest/globals';
import { wordsOf } from '../src/index.ts';

describe('free text in a timeline', () => {
  test.each([
    ['a CPF', 'CPF 123.456.789-09, ou 12345678909', 'CPF [document], ou [number]'],
    ['a CNPJ', '12.345.678/0001-95 = 12345678000195', '[document] = [number]'],
    ['a CNPJ with letters', '12.ABC.345/01DE-35 = 12ABC34501DE35', '[document] = [document]'],
    ['a phone', '(11) 98765-4321, 11987654321 ou +5511987654321', '[phone], [number] ou [phone]'],
    ['an e-mail address', 'de fulano@loja.test', 'de [e-mail]'],
    ['a card number', '4111 1111 1111 1111, 4111111111111111', '[number], [number]'],
  ])('is shown without %s', (_what, words, shown) => {
    expect(wordsOf(words)).toBe(shown);
  });

  test('keeps names, random Pix keys and amounts', () => {
    const words = 'a pedido de Maria Silva, chave 0193ad3c-1f2e-4cc3-98c4-dc0c0c07398f, R$ 1.500,00';

    expect(wordsOf(words)).toBe(words);
  });

  test('is null when nothing was written', () => {
    expect(wordsOf(null)).toBeNull();
  });
});
