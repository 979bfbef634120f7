import { describe, expect, test } from '@jest/globals';
import { declineReasonOf } from '../../src/cards/decline-reasons.ts';

describe('the reason of a decline', () => {
  test.each([
    // ABECS
    ['04', 'card_declined'],
    ['05', 'do_not_honor'],
    ['5', 'do_not_honor'],
    ['12', 'invalid_transaction'],
    ['13', 'invalid_transaction'],
    ['14', 'invalid_card'],
    ['19', 'invalid_installments'],
    ['23', 'invalid_installments'],
    ['38', 'incorrect_pin'],
    ['41', 'lost_card'],
    ['43', 'stolen_card'],
    ['46', 'closed_account'],
    ['51', 'insufficient_funds'],
    ['54', 'expired_card'],
    ['55', 'incorrect_pin'],
    ['56', 'invalid_card'],
    ['57', 'transaction_not_allowed'],
    ['58', 'transaction_not_allowed'],
    ['59', 'suspected_fraud'],
    ['61', 'limit_exceeded'],
    ['62', 'restricted_card'],
    ['63', 'invalid_cvv'],
    ['64', 'invalid_transaction'],
    ['65', 'limit_exceeded'],
    ['75', 'limit_exceeded'],
    ['78', 'restricted_card'],
    // Amex
    ['100', 'do_not_honor'],
    ['101', 'expired_card'],
    ['116', 'insufficient_funds'],
    ['122', 'invalid_cvv'],
    ['200', 'do_not_honor'],
    // Pagar.me until August 2026
    ['1000', 'do_not_honor'],
    ['1001', 'expired_card'],
    ['1002', 'suspected_fraud'],
    ['1004', 'restricted_card'],
    ['1011', 'invalid_card'],
    ['1016', 'insufficient_funds'],
    ['1017', 'incorrect_pin'],
    ['1022', 'invalid_cvv'],
    ['1025', 'restricted_card'],
    ['1032', 'lost_card'],
    ['2000', 'do_not_honor'],
    ['2001', 'expired_card'],
    ['2008', 'lost_card'],
    ['2009', 'stolen_card'],
    // What says nothing
    ['1999', 'card_declined'],
    ['9999', 'card_declined'],
    ['00', 'card_declined'],
    ['', 'card_declined'],
    [' 51 ', 'insufficient_funds'],
    ['constructor', 'card_declined'],
    ['__proto__', 'card_declined'],
  ])('coded %j is %s', (code, reason) => {
    expect(declineReasonOf(code)).toBe(reason);
  });
});
