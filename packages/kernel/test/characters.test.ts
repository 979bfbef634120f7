import { expect, test } from '@jest/globals';
import { normalized, visibleLine } from '../src/index.ts';

test.each([
  ['zero-width spaces', 'Lo\u200bja\u200b', 'Loja'],
  ['a direction override', 'Loja \u202eod\u202c Zé', 'Loja od Zé'],
  ['direction isolates and marks', '\u2066Loja\u2069\u200e\u200f\u061c', 'Loja'],
  ['a soft hyphen and a word joiner', 'Lo\u00adja\u2060', 'Loja'],
  ['a variation selector without an emoji', 'Loja\ufe0f', 'Loja'],
  ['tags', 'Loja\u{e0041}\u{e007f}', 'Loja'],
  ['an enclosing mark', 'A\u20ddB\u20e3', 'AB'],
  ['fillers and the Braille blank', 'Loja\u3164\u115f\uffa0\u2800', 'Loja'],
  ['a joiner between letters', 'Lo\u200dja', 'Loja'],
  ['a mark without a letter', '\u0301Loja \u0301\u0327Zé', 'Loja Zé'],
  ['a mark after an invisible character', 'Ze\u200b\u0301', 'Zé'],
  ['letters and their marks', 'Jose\u0301 Conceic\u0327a\u0303o', 'José Conceição'],
  ['line breaks', ' Pedido 1001\r\nentrega\u2028hoje\tcedo\n', 'Pedido 1001 entrega hoje cedo'],
  ['only invisible characters', '\u200b \u034f\u0301\n', ''],
  ['emoji with joiners, tones and selectors', '❤️ 👩🏽‍💻 🏳️‍🌈 👨‍👩‍👧 🇧🇷', '❤️ 👩🏽‍💻 🏳️‍🌈 👨‍👩‍👧 🇧🇷'],
  ['a joiner after an emoji', '👩\u200d Loja', '👩 Loja'],
  ['other scripts', 'متجر חנות 店 दुकान', 'متجر חנות 店 दुकान'],
])('a visible line is correct for %s', (_kind, text, line) => {
  expect(visibleLine(text)).toBe(line);
  expect(visibleLine(line)).toBe(line);
});

test('at most thirty marks stay on a letter', () => {
  const marks = '\u0316'.repeat(100_000) + '\u0300'.repeat(100_000);
  const halfWidth = '\uff9f\u0301\u0316'.repeat(60_000);
  const before = process.cpuUsage();

  expect(normalized(`Ze${'\u0301'.repeat(40)}`, 'NFC')).toBe(`Zé${'\u0301'.repeat(29)}`);
  expect(visibleLine(`a${marks}b`)).toBe(`a${'\u0316'.repeat(30)}b`);
  for (const form of ['NFKC', 'NFKD'] as const)
    expect(Array.from(normalized(`a${halfWidth}`, form)).length).toBeLessThan(40);
  expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
});

test('only two half-width signs let marks move across them', () => {
  const signs = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint).filter((codePoint) => {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) return false;
    const sign = String.fromCodePoint(codePoint);
    // Normalization sorts the marks after a letter. It moves the mark U+0334 in front of a sign only if the
    // sign is a mark or becomes one.
    const isSorted = (form: string) => {
      const after = `a${sign}\u0334`.normalize(form);
      return after.normalize('NFD').startsWith('a\u0334') && sign !== '\u0334';
    };
    return !/\p{M}/u.test(sign) && ['NFKC', 'NFKD'].some(isSorted);
  });

  expect(signs.map((codePoint) => codePoint.toString(16))).toEqual(['ff9e', 'ff9f']);
});
