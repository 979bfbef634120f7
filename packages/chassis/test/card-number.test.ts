import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { refuseCardNumber, refuseCardNumbers } from '../src/card-number.ts';

/** The same digits of another script, whose zero is given. */
function spelled(digits: string, zero: number): string {
  return [...digits].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');
}

describe('a body is refused that holds a card number', () => {
  test.each([
    ['in one piece', { externalId: '4000000000000010' }, 'externalId'],
    ['as a JSON number', { amount: 4000000000000010 }, 'amount'],
    ['in groups of four', { description: 'pan 4000 0000 0000 0010, 12/30' }, 'description'],
    ['with hyphens', { description: '4000-0000-0000-0010' }, 'description'],
    ['with lines below', { description: '4000_0000_0000_0010' }, 'description'],
    ['with blanks that don’t break', { description: '4000\u00a00000\u00a00000\u00a00010' }, 'description'],
    ['in the digits of another font', { description: '４０００００００００００００１０' }, 'description'],
    ['in Arabic digits', { description: '٤٠٠٠٠٠٠٠٠٠٠٠٠٠١٠' }, 'description'],
    ['in Persian digits, in groups', { description: '۴۰۰۰ ۰۰۰۰ ۰۰۰۰ ۰۰۱۰' }, 'description'],
    ['in Devanagari digits', { description: '४०००००००००००००१०' }, 'description'],
    ['in digits of two scripts', { description: '٤٠٠٠۰۰۰۰0000००१०' }, 'description'],
    [
      'in digits above the first plane',
      { description: spelled('4000000000000010', 0x1_1066) },
      'description',
    ],
    ['with hyphens of other widths', { description: '4000‐0000‐0000‐0010' }, 'description'],
    ['of the second range of Mastercard', { description: '2223000048400011' }, 'description'],
    ['with dots', { description: '4000.0000.0000.0010' }, 'description'],
    ['of American Express, in its own groups', { description: '3782 822463 10005' }, 'description'],
    ['of nineteen digits', { reason: '6304000000000000000' }, 'reason'],
    ['of thirteen digits', { reason: '4222222222222' }, 'reason'],
    ['right behind a word', { externalId: 'order4000000000000010' }, 'externalId'],
    ['deep inside', { card: { number: ['4000000000000010'] } }, 'number'],
    ['as the name of a field', { '4000000000000010': 'x' }, 'body'],
    ['in a field for phones, longer than any phone', { payerPhone: '4000000000000010' }, 'payerPhone'],
  ])('%s', (_how, body, field) => {
    expect(() => refuseCardNumbers(body)).toThrow(new RegExp(`^${field}: holds a card number`));
    expect(() => refuseCardNumbers(body)).not.toThrow(/4000|3782|6304|4222|2223/);
  });
});

describe('what nobody sees hides no card number', () => {
  test.each([
    ['a blank of no width', '\u200b'],
    ['a joiner of no width', '\u200d'],
    ['a word joiner', '\u2060'],
    ['a soft hyphen', '\u00ad'],
    ['a byte order mark', '\ufeff'],
    ['a mark of direction', '\u202e'],
    ['a tag', '\u{e0041}'],
    ['a combining accent', '\u0301'],
    ['an enclosing keycap', '\ufe0f\u20e3'],
    ['a joiner of graphemes', '\u034f'],
    ['an empty Hangul syllable', '\u3164'],
    ['a vowel that is not spoken', '\u17b4'],
  ])('%s', (_what, hidden) => {
    for (const written of ['4000000000000010', '4000 0000 0000 0010', '4000-0000-0000-0010']) {
      const body = { description: [...written].join(hidden) };
      expect(() => refuseCardNumbers(body)).toThrow(/^description: holds a card number/);
    }
  });
});

test('a text by itself is refused by its name', () => {
  expect(() => refuseCardNumber('Idempotency-Key', 'order-4000000000000010')).toThrow(
    /^Idempotency-Key: holds a card number/,
  );
  expect(() => refuseCardNumber('Idempotency-Key', randomUUID())).not.toThrow();
});

describe('a body passes that holds', () => {
  test.each([
    ['sixteen digits that fail the check sum', { externalId: '4000000000000011' }],
    ['a clock in milliseconds', { externalId: 'order-1795273200001' }],
    ['an order number with a date in it', { externalId: 'order-43918-1795273200005-17' }],
    ['a CNPJ in its field', { payerDocument: '34665388000161' }],
    ['a phone in its field', { payerPhone: '+5561912345678' }],
    ['a digest with a card number’s digits inside', { externalId: `a4000000000000010${'0b'.repeat(12)}` }],
    ['a UUID that holds one by chance', { chargeId: '01a1fef5-4320-7540-8069-60668b0734c7' }],
    ['a date and a time', { externalId: '20261121163509' }],
    ['a date, a time and a number', { externalId: '202611211635090010' }],
    ['other digits that fail the check sum', { externalId: '٤٠٠٠٠٠٠٠٠٠٠٠٠٠١١' }],
    [
      'a name with accents, and a date',
      { description: 'Jose\u0301 Conceic\u0327a\u0303o 2026-11-21 16:35:09' },
    ],
    ['hidden characters in a UUID', { chargeId: '01a1fef5-4320-7540-\u200b8069-60668b0734c7' }],
    ['twenty digits', { externalId: '40000000000000100000' }],
  ])('%s', (_what, body) => {
    expect(() => refuseCardNumbers(body)).not.toThrow();
  });

  test('very much of everything else', () => {
    expect(() => refuseCardNumbers({ pix: Array.from({ length: 500_000 }, (_, i) => i) })).not.toThrow();
  });

  test('any UUID', () => {
    for (let round = 0; round < 100_000; round += 1) {
      expect(() => refuseCardNumbers({ externalId: randomUUID() })).not.toThrow();
    }
  });
});
