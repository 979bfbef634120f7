const OF_OPERATORS = 'it is an answer to operators';
const NO_PROVIDER =
  'only an installation without a provider, or one whose operators hold orders up, gives it';
const NO_PROVIDER_FAULTS = 'the control API of the sandbox bank has no provider faults, and is there with it';

/**
 * Promises that no merchant can cause with a sandbox key, each with the reason. The key is a code, an
 * endpoint and a code, or a field and its state. The test fails if one of them occurs or is no longer
 * promised.
 */
export const beyondAMerchant: Readonly<Record<string, string>> = {
  TOKEN_EXPIRED: 'a token lives for 15 minutes',
  SANDBOX_ONLY: 'production opens when an operator approves the account',
  'rotateApiKey MERCHANT_NOT_APPROVED': 'before that there is no production key to rotate',
  CARD_NOT_ENABLED: 'every account has cards in the sandbox',
  MERCHANT_SUSPENDED: 'an operator suspends or rejects',
  'Account.status APPROVED': 'an operator approves',
  'Account.status REJECTED': 'an operator rejects',
  'Account.status SUSPENDED': 'an operator suspends',
  WITHDRAWAL_LIMIT_REACHED: 'a new account has no daily limit; an operator sets one',
  FORBIDDEN: OF_OPERATORS,
  OPERATOR_EXISTS: OF_OPERATORS,
  REFUND_NOT_SUPPORTED: 'the sandbox bank returns money',
  NO_SANDBOX_BANK: 'there is one',
  'PaymentLinkPage.status HELD': 'releases to 0.6.0 answered it',
  CARDS_PAUSED: 'no few addresses have so many cards declined at a link: each is RATE_LIMITED before',
  'receivable.settled':
    'the day after a settlement must be over: the ledger’s own test moves the clock that far',
  INTERNAL_ERROR: 'it is a defect of ours',
  PROVIDER_ERROR: 'the sandbox bank answers what its protocol allows, or not at all',
  'getCardConfig PROVIDER_UNAVAILABLE': NO_PROVIDER,
  'createWithdrawal PROVIDER_UNAVAILABLE': NO_PROVIDER,
  'setSandboxProvider PROVIDER_UNAVAILABLE': NO_PROVIDER_FAULTS,
  'getSandboxProvider PROVIDER_UNAVAILABLE': NO_PROVIDER_FAULTS,
  'holdSandboxWithdrawal PROVIDER_UNAVAILABLE': NO_PROVIDER_FAULTS,
  'completeSandboxWithdrawal PROVIDER_UNAVAILABLE': NO_PROVIDER_FAULTS,
  'failSandboxWithdrawal PROVIDER_UNAVAILABLE': NO_PROVIDER_FAULTS,
};
