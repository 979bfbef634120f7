import type {
  chargeStatuses,
  disputeStatuses,
  ErrorCode,
  failureReasons,
  withdrawalStatuses,
} from '@plataforma/contracts';

export const chargeStates: Record<(typeof chargeStatuses)[number], string> = {
  PENDING: 'The charge waits for its Pix. It ends PAID, EXPIRED or CANCELLED.',
  PAID: 'The money arrived, and its net amount is in the balance. A card charge starts in this status.',
  EXPIRED: 'The charge expired without a payment. Final.',
  CANCELLED: 'You cancelled the charge before it was paid. Final.',
  REFUNDED:
    'All or part of the money was returned, by your refund or by a lost dispute (`refundReason` is ' +
    '`dispute` if you refunded nothing). Final.',
  DISPUTED:
    'The payer disputes the charge. The amount is reserved, and a refund is not possible until the ' +
    'dispute ends.',
};

export const disputeStates: Record<(typeof disputeStatuses)[number], string> = {
  OPEN: 'The dispute waits for your evidence until its `deadline`.',
  UNDER_REVIEW: 'You have sent your evidence. Evidence can be sent once.',
  RESOLVED_MERCHANT: 'You won. The charge is PAID again, and the amount is yours again. Final.',
  RESOLVED_CUSTOMER:
    'You lost. The charge is REFUNDED. The amount that the balance lacks remains as `disputeDebt`. Final.',
  CANCELLED: 'The payer withdrew the dispute, which counts as won. Final.',
};

export const withdrawalStates: Record<(typeof withdrawalStatuses)[number], string> = {
  PENDING: 'The money has left the balance. The withdrawal waits for approval, automatic or by an operator.',
  APPROVED:
    'The withdrawal will be sent at once, or when its destination is no longer new. `waitingFor` gives ' +
    'the cause of a longer delay.',
  PROCESSING:
    'The provider has the payment order. The status stays until the provider is certain of the outcome.',
  COMPLETED: 'The payee has received the money. Final.',
  FAILED: 'The withdrawal was not paid. Amount and fee are in the balance again. See `failureReason`. Final.',
  REJECTED: 'An operator rejected the withdrawal. Amount and fee are in the balance again. Final.',
};

export const failures: Record<(typeof failureReasons)[number], string> = {
  invalid_key: 'The key does not exist, or it does not belong to the payee.',
  account_not_found: 'The payee’s account does not exist.',
  account_closed: 'The payee’s account was closed.',
  account_blocked: 'The payee’s account can’t receive.',
  limit_exceeded: 'The amount exceeds a limit of the provider or of the payee’s bank.',
  suspected_fraud: 'A bank suspected fraud.',
  refused_by_bank: 'A bank refused the payment.',
  timed_out: 'A bank did not answer the provider in time.',
  other: 'Any other reason.',
};

/** The errors that any request may get. */
export const answersToAnyRequest: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NOT_ACCEPTABLE',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'URI_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'HEADERS_TOO_LARGE',
  'INTERNAL_ERROR',
  'NOT_IMPLEMENTED',
  'SERVICE_UNAVAILABLE',
];

/** A table of the guide: how each kind of field treats an empty text. `test/empty-texts.test.ts` checks it. */
export const emptyTexts = [
  [
    'an optional text, name, e-mail, phone, document, colour or `returnUrl` of a new object',
    'is equivalent to an omitted field',
  ],
  ['a required text, name, address, number or key', 'is refused as missing'],
  [
    'an `externalId`, `externalIdPrefix`, `pixKey`, token or secret',
    'is refused, even in an optional field, so that no object is created without the identifier that you ' +
      'meant to send',
  ],
  ['a text of a change (`PATCH`)', 'is refused; `null` clears a field that can be empty'],
  ['one of several values, an id, a day, an instant', 'is refused as invalid'],
  ['an amount, a number, true or false, a list, an object', 'is refused as a wrong type'],
  ['a parameter of a query', 'is refused; omit the parameter'],
  ['a text of `metadata`', 'is stored; `null` is not a text and is refused'],
] as const;
