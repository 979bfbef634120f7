import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { refuseCardNumbers } from '../src/card-number.ts';

describe('a body is refused that holds a card number', () => {
  test.each([
    ['in one piece', { externalId: '4000000000000010' }, 'externalId'],
    ['as a JSON number', { amount: 4000000000000010 }, 'amount'],
    ['in groups of four', { description: 'pan 4000 0000 0000 0010, 12/30' }, 'description'],
    ['with hyphens', { description: '4000-0000-0000-0010' }, 'description'],
    ['with lines below', { description: '4000_0000_0000_0010' }, 'description'],
    ['with blanks that don’t break', { description: '4000\u00a00000\u00a00000\u00a00010' }, 'description'],
    ['in the digits of another font', { description: '４０００００００００００００１０' }, 'description'],
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
