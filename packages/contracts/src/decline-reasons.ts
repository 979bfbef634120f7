/** The platform's reasons for a declined card. A later release may add reasons. */
export const declineReasons = [
  'card_declined',
  'closed_account',
  'do_not_honor',
  'expired_card',
  'incorrect_pin',
  'insufficient_funds',
  'invalid_card',
  'invalid_card_token',
  'invalid_cvv',
  'invalid_installments',
  'invalid_transaction',
  'limit_exceeded',
  'lost_card',
  'not_processed',
  'restricted_card',
  'stolen_card',
  'suspected_fraud',
  'transaction_not_allowed',
  'voided',
] as const;

export type DeclineReason = (typeof declineReasons)[number];
