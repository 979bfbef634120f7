const OF_OPERATORS = 'only operators get it';
const NO_PROVIDER = 'only an installation without a provider, or with stopped orders, gives it';
const NO_PROVIDER_FAULTS = 'the sandbox bank’s control API has no provider faults and runs with the bank';

/**
 * The error codes, states and event types that a merchant can't cause with a sandbox key, each with the
 * reason. The test fails if one of them occurs, or if the OpenAPI document no longer contains it.
 */
export const beyondAMerchant: Readonly<Record<string, string>> = {
  TOKEN_EXPIRED: 'a token is valid for 15 minutes',
  SANDBOX_ONLY: 'production opens when an operator approves the account',
  'rotateApiKey MERCHANT_NOT_APPROVED': 'a production key exists only after the approval',
  CARD_NOT_ENABLED: 'every account has cards in the sandbox',
  MERCHANT_SUSPENDED: 'an operator suspends or rejects',
  'Account.status APPROVED': 'an operator approves',
  'Account.status REJECTED': 'an operator rejects',
  'Account.status SUSPENDED': 'an operator suspends',
  WITHDRAWAL_LIMIT_REACHED: 'the sandbox of a new account has no daily limit; an operator sets one',
  FORBIDDEN: OF_OPERATORS,
  INVALID_CNPJ: OF_OPERATORS,
  OPERATOR_EXISTS: OF_OPERATORS,
  SECOND_FACTOR_REQUIRED: OF_OPERATORS,
  SECOND_FACTOR_ENROLMENT: OF_OPERATORS,
  INVALID_SECOND_FACTOR: OF_OPERATORS,
  SECOND_FACTOR_STALE: OF_OPERATORS,
  SECOND_FACTOR_LOCKED: OF_OPERATORS,
  PASSKEYS_NOT_CONFIGURED: OF_OPERATORS,
  INVALID_PASSKEY: OF_OPERATORS,
  PASSKEY_LIMIT_REACHED: OF_OPERATORS,
  REFUND_NOT_SUPPORTED: 'the sandbox bank returns money',
  NO_SANDBOX_BANK: 'the sandbox has a bank',
  'PaymentLinkPage.status HELD': 'releases to 0.6.0 answered it',
  CARDS_PAUSED: 'a few addresses are RATE_LIMITED before so many cards are declined at a link',
  'receivable.settled':
    'the day after a settlement must be over: the ledger’s own test moves the clock that far',
  INTERNAL_ERROR: 'it is a defect of the platform',
  PROVIDER_ERROR: 'the sandbox bank answers what its protocol allows, or not at all',
  'getCardConfig PROVIDER_UNAVAILABLE': NO_PROVIDER,
  'createWithdrawal PROVIDER_UNAVAILABLE': NO_PROVIDER,
  'setSandboxProvider PROVIDER_UNAVAILABLE': NO_PROVIDER_FAULTS,
  'getSandboxProvider PROVIDER_UNAVAILABLE': NO_PROVIDER_FAULTS,
  'holdSandboxWithdrawal PROVIDER_UNAVAILABLE': NO_PROVIDER_FAULTS,
  'completeSandboxWithdrawal PROVIDER_UNAVAILABLE': NO_PROVIDER_FAULTS,
  'failSandboxWithdrawal PROVIDER_UNAVAILABLE': NO_PROVIDER_FAULTS,
};
