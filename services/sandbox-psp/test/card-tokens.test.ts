import { describe, expect, test } from '@jest/globals';
import {
  isExpired,
  isLuhnValid,
  magicNumbers,
  publishedNumbers,
  testCardOf,
} from '../src/domain/test-card.ts';
import { CARDS, sharedBankWorld } from './bank.ts';
import { APPROVED, askForToken, card, cardToken } from './cards.ts';

const bank = sharedBankWorld();

const ask = (changes: Record<string, unknown>) =>
  askForToken(bank.url, { type: 'card', card: { ...card(), ...changes } });

describe('POST /core/v5/tokens', () => {
  test('returns a token of a test card for ten minutes', async () => {
    const answer = await ask({});

    expect(answer.status).toBe(200);
    const token = cardToken.parse(answer.body);
    const { number, cvv, ...shown } = card();
    expect(token.card).toEqual({
      holder_name: shown.holder_name,
      exp_month: 12,
      exp_year: 2040,
      first_six_digits: number.slice(0, 6),
      last_four_digits: '0010',
      brand: 'Visa',
    });
    expect(answer.text).not.toContain(number);
    expect(answer.text).not.toContain(cvv);
    expect(Date.parse(token.expires_at) - Date.parse(token.created_at)).toBe(600_000);
  });

  test.each([{ exp_month: '12', exp_year: '2040' }, { exp_month: '07', exp_year: 2030 }, { exp_year: '31' }])(
    'accepts the expiry %j',
    async (expiry) => {
      expect((await ask(expiry)).status).toBe(200);
    },
  );

  test.each([
    ['a real card number', { number: '4539578763621486' }, 'card.number'],
    ['a number of the test range that fails Luhn', { number: '4000000000000011' }, 'card.number'],
    ['a number with blanks', { number: '4000 0000 0000 0010' }, 'card.number'],
    ['a card that has expired', { exp_month: 1, exp_year: 20 }, 'card.exp_year'],
    ['a thirteenth month', { exp_month: 13 }, 'card.exp_month'],
    ['a year of three digits', { exp_year: 203 }, 'card.exp_year'],
    ['a cvv of two digits', { cvv: '12' }, 'card.cvv'],
    ['an empty holder name', { holder_name: '' }, 'card.holder_name'],
  ])('%s is refused', async (_case, changes, field) => {
    const answer = await ask(changes);

    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ message: expect.any(String), errors: { [field]: [expect.any(String)] } });
  });

  test('names test cards as the only accepted cards', async () => {
    expect((await ask({ number: '4539578763621486' })).text).toContain('only test cards');
  });

  test('refuses an unknown application', async () => {
    const answer = await askForToken(bank.url, { type: 'card', card: card() }, 'pk_test_nobody');

    expect(answer).toMatchObject({ status: 401, body: { message: expect.any(String) } });
  });

  test('accepts browser calls of any origin, with readable refusals', async () => {
    const url = `${bank.url}/core/v5/tokens?appId=${CARDS.publicKey}`;
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    const refused = await fetch(url, { method: 'POST', headers: { origin: 'https://shop.example' } });

    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST');
    expect(refused.status).toBe(422);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('a body that is no JSON is refused', async () => {
    const url = `${bank.url}/core/v5/tokens?appId=${CARDS.publicKey}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: '{"card": 4000' });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ message: expect.any(String) });
  });
});

describe('the test cards', () => {
  test.each([...magicNumbers.keys(), ...publishedNumbers.keys()])(
    '%s passes the Luhn check and is accepted',
    (number) => {
      expect(isLuhnValid(number)).toBe(true);
      expect(testCardOf(number)?.lastFour).toBe(number.slice(-4));
    },
  );

  test('with other valid numbers of the range are approved', () => {
    expect(testCardOf('4000000000000077')).toMatchObject({ brand: 'Visa', outcome: 'APPROVED' });
    expect(testCardOf('4000009999999991')?.outcome).toBe(
      isLuhnValid('4000009999999991') ? 'APPROVED' : undefined,
    );
    expect(testCardOf(`${APPROVED}0`)).toBeUndefined();
  });

  test('are valid to the end of their month', () => {
    const lastMoment = new Date('2026-02-28T23:59:59.999Z');

    expect(isExpired({ month: 2, year: 2026 }, lastMoment)).toBe(false);
    expect(isExpired({ month: 2, year: 2026 }, new Date(lastMoment.getTime() + 1))).toBe(true);
    expect(isExpired({ month: 12, year: 2026 }, new Date('2026-12-31T00:00:00Z'))).toBe(false);
  });
});
