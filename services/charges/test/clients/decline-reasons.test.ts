import { expect, test } from '@jest/globals';
import { declineReasonOf } from '../../src/cards/decline-reasons.ts';

/**
 * Codes of two digits are from ABECS, codes of three digits from Amex, and codes of four digits from Pagar.me
 * until August 2026. Other codes are unknown.
 */
const codes = {
  card_declined: ['04', '1999', '9999', '00', '', 'constructor', '__proto__'],
  do_not_honor: ['05', '5', '100', '200', '1000', '2000'],
  invalid_transaction: ['12', '13', '64'],
  invalid_card: ['14', '56', '1011'],
  invalid_installments: ['19', '23'],
  incorrect_pin: ['38', '55', '1017'],
  lost_card: ['41', '1032', '2008'],
  stolen_card: ['43', '2009'],
  closed_account: ['46'],
  insufficient_funds: ['51', '116', '1016', ' 51 '],
  expired_card: ['54', '101', '1001', '2001'],
  transaction_not_allowed: ['57', '58'],
  suspected_fraud: ['59', '1002'],
  limit_exceeded: ['61', '65', '75'],
  restricted_card: ['62', '78', '1004', '1025'],
  invalid_cvv: ['63', '122', '1022'],
};

test.each(Object.entries(codes).flatMap(([reason, of]) => of.map((code) => [code, reason])))(
  'the decline code %j means %s',
  (code, reason) => {
    expect(declineReasonOf(code ?? '')).toBe(reason);
  },
);
