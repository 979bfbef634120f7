import type { DeclineReason } from '@plataforma/contracts';

/**
 * Maps the codes of `acquirer_return_code` to decline reasons. The field has ABECS codes, and until 28 August
 * 2026 also Pagar.me's own codes (docs.pagar.me, "Códigos de retorno padrão ABECS").
 *
 * Source: ABECS, Normativo 21 V3 (the tables of Elo, Visa and Mastercard at docs.cielo.com.br).
 */
const abecs: Record<string, DeclineReason> = {
  '05': 'do_not_honor',
  '12': 'invalid_transaction',
  '13': 'invalid_transaction',
  '14': 'invalid_card',
  '19': 'invalid_installments',
  '23': 'invalid_installments',
  '38': 'incorrect_pin',
  '41': 'lost_card',
  '43': 'stolen_card',
  '46': 'closed_account',
  '51': 'insufficient_funds',
  '54': 'expired_card',
  '55': 'incorrect_pin',
  '56': 'invalid_card',
  '57': 'transaction_not_allowed',
  '58': 'transaction_not_allowed',
  '59': 'suspected_fraud',
  '61': 'limit_exceeded',
  '62': 'restricted_card',
  '63': 'invalid_cvv',
  '64': 'invalid_transaction',
  '65': 'limit_exceeded',
  '75': 'limit_exceeded',
  '78': 'restricted_card',
};

/**
 * Action codes of ISO 8583:1993, which ABECS keeps for Amex. Pagar.me and Stone write these codes as 1000 to
 * 2010, with a zero after the first digit (Stone's list at online.stone.com.br and suporte.moip.com.br).
 */
const actionCodes: Record<string, DeclineReason> = {
  '100': 'do_not_honor',
  '101': 'expired_card',
  '102': 'suspected_fraud',
  '104': 'restricted_card',
  '106': 'incorrect_pin',
  '109': 'transaction_not_allowed',
  '110': 'invalid_transaction',
  '111': 'invalid_card',
  '115': 'transaction_not_allowed',
  '116': 'insufficient_funds',
  '117': 'incorrect_pin',
  '118': 'invalid_card',
  '119': 'transaction_not_allowed',
  '120': 'transaction_not_allowed',
  '121': 'limit_exceeded',
  '122': 'invalid_cvv',
  '123': 'limit_exceeded',
  '124': 'transaction_not_allowed',
  '125': 'restricted_card',
  '129': 'suspected_fraud',
  '132': 'lost_card',
  '200': 'do_not_honor',
  '201': 'expired_card',
  '202': 'suspected_fraud',
  '204': 'restricted_card',
  '206': 'incorrect_pin',
  '208': 'lost_card',
  '209': 'stolen_card',
  '210': 'suspected_fraud',
};

const reasons = new Map(Object.entries({ ...abecs, ...actionCodes }));

/** Returns the decline reason of a code, or `card_declined` for an unknown code. */
export function declineReasonOf(code: string): DeclineReason {
  const written = code.trim();
  const withoutZero = /^([12])0(\d{2})$/.exec(written);
  const normalized = withoutZero ? `${withoutZero[1]}${withoutZero[2]}` : written.padStart(2, '0');
  return reasons.get(normalized) ?? 'card_declined';
}
