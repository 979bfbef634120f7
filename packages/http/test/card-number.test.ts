import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { isCnpj } from '@plataforma/kernel';
import { rounds } from '@plataforma/testing';
import { refuseCardNumbers } from '../src/card-number.ts';

/** The number of random values in a test: 5,000 for each round (see `rounds`), and at most 100,000. */
const MANY = rounds(20) * 5_000;

/** Returns the digits in another script. `zero` is the code point of the zero in that script. */
function spelled(digits: string, zero: number): string {
  return [...digits].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');
}

describe('a body with a card number', () => {
  test.each([
    ['without separators', { description: '4000000000000010' }, 'description'],
    ['as the externalId', { externalId: '4000000000000010' }, 'externalId'],
    ['in groups within the externalId', { externalId: 'pedido-4000.0000.0000.0010' }, 'externalId'],
    ['of American Express as the externalId', { externalId: '378282246310005' }, 'externalId'],
    ['in metadata with the name of an id', { metadata: { pedidoId: '4000000000000010' } }, 'metadata'],
    ['in metadata with a name exempt in other fields', { metadata: { id: '4000000000000010' } }, 'metadata'],
    ['as a JSON number', { amount: 4000000000000010 }, 'amount'],
    ['in groups of four', { description: 'pan 4000 0000 0000 0010, 12/30' }, 'description'],
    ['with hyphens', { description: '4000-0000-0000-0010' }, 'description'],
    ['with underscores', { description: '4000_0000_0000_0010' }, 'description'],
    ['with no-break spaces', { description: '4000\u00a00000\u00a00000\u00a00010' }, 'description'],
    ['in full-width digits', { description: '４０００００００００００００１０' }, 'description'],
    ['in Arabic digits', { description: '٤٠٠٠٠٠٠٠٠٠٠٠٠٠١٠' }, 'description'],
    ['in Persian digits, in groups', { description: '۴۰۰۰ ۰۰۰۰ ۰۰۰۰ ۰۰۱۰' }, 'description'],
    ['in Devanagari digits', { description: '४०००००००००००००१०' }, 'description'],
    ['in digits of two scripts', { description: '٤٠٠٠۰۰۰۰0000००१०' }, 'description'],
    [
      'in digits outside the basic plane',
      { description: spelled('4000000000000010', 0x1_1066) },
      'description',
    ],
    ['with Unicode hyphens', { description: '4000‐0000‐0000‐0010' }, 'description'],
    ['in the second range of Mastercard', { description: '2223000048400011' }, 'description'],
    ['with dots', { description: '4000.0000.0000.0010' }, 'description'],
    ['with two blanks', { externalId: '4000  0000  0000  0010' }, 'externalId'],
    ['with commas', { externalId: '4000,0000,0000,0010' }, 'externalId'],
    ['with commas and blanks', { externalId: '4000, 0000, 0000, 0010' }, 'externalId'],
    ['with any sign', { externalId: '4000|0000|0000|0010' }, 'externalId'],
    ['in brackets', { externalId: '(4000)(0000)(0000)(0010)' }, 'externalId'],
    ['with points and blanks', { description: '4000 • 0000 • 0000 • 0010' }, 'description'],
    ['in lines', { description: '4000\n0000\n0000\n0010' }, 'description'],
    ['of American Express, with any sign', { description: '3782*822463*10005' }, 'description'],
    ['in pairs', { description: '40 00 00 00 00 00 00 10' }, 'description'],
    ['of fifteen digits in pairs', { description: '37-82-82-24-63-10-00-5' }, 'description'],
    ['of nineteen digits in pairs', { description: '63 04 00 00 00 00 00 00 00 0' }, 'description'],
    ['in single digits', { description: '4 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0' }, 'description'],
    ['in a hexadecimal word', { externalId: 'deadbeef4000000000000010cafe' }, 'externalId'],
    ['of American Express, in its own groups', { description: '3782 822463 10005' }, 'description'],
    [
      'of Diners, in its own groups, with the check digits of a CNPJ',
      { reason: '3610 000300 0144' },
      'reason',
    ],
    ['of nineteen digits', { reason: '6304000000000000000' }, 'reason'],
    ['directly after a word', { reason: 'order4000000000000010' }, 'reason'],
    ['in a nested list', { card: { number: ['4000000000000010'] } }, 'number'],
    ['as the name of a field', { '4000000000000010': 'x' }, 'body'],
  ])('is refused with the number %s', (_how, body, field) => {
    expect(() => refuseCardNumbers(body)).toThrow(new RegExp(`^${field}: holds a card number`));
    expect(() => refuseCardNumbers(body)).not.toThrow(/4000|3782|6304|4222|2223/);
  });
});

describe('a card number split by invisible characters', () => {
  test.each([
    ['a zero-width space', '\u200b'],
    ['a zero-width joiner', '\u200d'],
    ['a word joiner', '\u2060'],
    ['a soft hyphen', '\u00ad'],
    ['a byte order mark', '\ufeff'],
    ['a direction override', '\u202e'],
    ['a tag character', '\u{e0041}'],
    ['a combining accent', '\u0301'],
    ['an enclosing keycap', '\ufe0f\u20e3'],
    ['a combining grapheme joiner', '\u034f'],
    ['a Hangul filler', '\u3164'],
    ['a Khmer inherent vowel', '\u17b4'],
  ])('is found between copies of %s', (_what, hidden) => {
    for (const written of ['4000000000000010', '4000 0000 0000 0010', '4000-0000-0000-0010']) {
      const body = { description: [...written].join(hidden) };
      expect(() => refuseCardNumbers(body)).toThrow(/^description: holds a card number/);
    }
  });
});

/** Test numbers that card brands, acquirers and Stripe publish, for all brands in use in Brazil. */
const PUBLISHED = [
  ...['4242424242424242', '4000056655665556', '4111111111111111', '4235647728025682', '4000000000000010'],
  ...['5555555555554444', '2223003122003222', '5200828282828210', '5105105105105100', '5031433215406351'],
  ...['378282246310005', '371449635398431', '375365153556885', '30569309025904', '36227206271667'],
  ...['38520000023237', '3056930009020004', '6011111111111117', '6011000990139424', '6555900000604105'],
  ...['3566002020360505', '3530111333300000', '6200000000000005', '6205500000000000004', '5067766783888311'],
  ...['6362970000457013', '6062828888666688', '6304000000000000000', '6759649826438453'],
];

test.each(PUBLISHED)('the published test number %s is refused in a text', (number) => {
  expect(() => refuseCardNumbers({ description: `pago com ${number}` })).toThrow('holds a card number');
});

describe('a body with other numbers', () => {
  const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join('');
  const withCheckDigits = (base: string): string =>
    Array.from({ length: 100 }, (_, ending) => `${base}${String(ending).padStart(2, '0')}`).find(isCnpj) ??
    '';
  const isLuhn = (number: string) =>
    [...number].reverse().reduce((sum, digit, index) => {
      const weighed = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return sum + (weighed > 9 ? weighed - 9 : weighed);
    }, 0) %
      10 ===
    0;

  test('passes with order numbers of thirteen digits', () => {
    for (let round = 0; round < MANY; round += 1) refuseCardNumbers({ description: `pedido ${digits(13)}` });
  });

  test('passes with Brazilian mobiles that match the card checksum', () => {
    for (let count = 0; count < MANY; ) {
      const mobile = `55${11 + randomInt(89)}9${digits(8)}`;
      if (!isLuhn(mobile)) continue;
      count += 1;
      refuseCardNumbers({ description: `fone ${mobile}` });
    }
  });

  test('passes with CNPJs that match the card checksum', () => {
    for (let count = 0; count < MANY / 100; ) {
      const cnpj = withCheckDigits(`3${6 + randomInt(3)}${digits(6)}0001`);
      if (!isLuhn(cnpj)) continue;
      count += 1;
      refuseCardNumbers({ description: `CNPJ ${cnpj}`, externalId: cnpj });
    }
  });

  test.each(['id', 'chargeId', 'txid', 'payerPhone', 'payerDocument', 'pixKey', 'account'])(
    'passes with any number in %s',
    (field) => {
      expect(() => refuseCardNumbers({ [field]: '4000000000000010' })).not.toThrow();
    },
  );
});

describe('a body without a card number', () => {
  test.each([
    ['sixteen digits with a wrong checksum', { description: '4000000000000011' }],
    ['a timestamp in milliseconds', { description: 'order-1795273200001' }],
    ['an order number with a date', { description: 'order-43918-1795273200005-17' }],
    ['a CNPJ in its field', { payerDocument: '34665388000161' }],
    ['a CNPJ in a text', { description: 'Nota para o CNPJ 36100003000144' }],
    ['a CNPJ in metadata', { metadata: { cnpjCliente: '36100003000144' } }],
    ['a CNPJ with its punctuation', { reason: '36.100.003/0001-44' }],
    ['a CPF with its punctuation', { reason: '123.456.789-09' }],
    ['a phone in its field', { payerPhone: '+5561912345678' }],
    ['a digest with a card number’s digits inside', { description: `a4000000000000010${'b0'.repeat(11)}b` }],
    ['a UUID with valid card digits by chance', { chargeId: '01a1fef5-4320-7540-8069-60668b0734c7' }],
    ['a date and a time', { externalId: '20261121163509' }],
    ['a date, a time and a number', { externalId: '202611211635090010' }],
    ['other digits with a wrong checksum', { description: '٤٠٠٠٠٠٠٠٠٠٠٠٠٠١١' }],
    [
      'a name with accents, and a date',
      { description: 'Jose\u0301 Conceic\u0327a\u0303o 2026-11-21 16:35:09' },
    ],
    ['hidden characters in a UUID', { description: '01a1fef5-4320-7540-\u200b8069-60668b0734c7' }],
    ['twenty digits', { description: '40000000000000100000' }],
    ['more single digits than a card has', { description: '4 0 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0' }],
    ['more pairs than a card has', { description: '40 00 00 00 00 00 00 10 00 00 00' }],
    ['an order number beside a date', { externalId: '40000000-00000010' }],
    ['a line of a boleto', { description: '34191.79001 01043.510047 91020.150008 8 12345678900000' }],
    ['sizes in pairs', { description: 'tam. 26 28 30 32 34 36 38 40' }],
    ['sizes between dashes', { description: '50 - 52 - 54 - 56 - 58 - 60 - 62 - 64' }],
    ['sizes between commas', { description: '41, 42, 43, 44, 45, 46, 47, 48' }],
    ['uneven sizes between slashes', { description: '36/38/40/42/44/46/50/58' }],
    ['a phone in pairs', { description: '+55 11 98 76 54 32 10' }],
  ])('passes with %s', (_what, body) => {
    expect(() => refuseCardNumbers(body)).not.toThrow();
  });

  test('passes with very many values', () => {
    expect(() => refuseCardNumbers({ pix: Array.from({ length: 500_000 }, (_, i) => i) })).not.toThrow();
  });

  test('passes with any UUID', () => {
    for (let round = 0; round < MANY; round += 1) {
      refuseCardNumbers({ description: randomUUID() });
    }
  });
});
