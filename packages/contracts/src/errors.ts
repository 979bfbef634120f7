import type { RefusalKind } from '@plataforma/kernel';

/** The one place where a sort of refusal becomes an HTTP status. */
/** The refusal of a token that no card can be charged with; the gateway counts it among an address's declines. */
export const USELESS_CARD_TOKEN = 'cardToken: is unknown, used or expired: tokenize the card again';

export const statusOfKind: Record<RefusalKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  declined: 402,
  forbidden: 403,
  missing: 404,
  method: 405,
  not_acceptable: 406,
  too_slow: 408,
  conflict: 409,
  too_large: 413,
  uri_too_long: 414,
  media_type: 415,
  unprocessable: 422,
  limited: 429,
  headers_too_large: 431,
  provider_fault: 502,
  unavailable: 503,
};

/** Every code a failure envelope can carry, its status, and when it is given. */
export const errorCatalogue = {
  VALIDATION_ERROR: {
    status: 400,
    when: 'A field or parameter is invalid or missing; the message names it.',
  },
  ENVIRONMENT_MISMATCH: {
    status: 400,
    when: 'X-Environment names another environment than that of the API key.',
  },
  REFUND_NOT_SUPPORTED: {
    status: 400,
    when: 'The provider of this charge does not return money through its API.',
  },
  UNAUTHORIZED: { status: 401, when: 'No credentials, or credentials of an unknown form.' },
  INVALID_API_KEY: { status: 401, when: 'The API key does not exist.' },
  API_KEY_EXPIRED: { status: 401, when: 'The API key is past its expiry date.' },
  API_KEY_REVOKED: {
    status: 401,
    when: 'The API key was revoked, or was rotated and its grace period is over.',
  },
  INVALID_TOKEN: { status: 401, when: 'The bearer token is not valid, or its session was ended.' },
  TOKEN_EXPIRED: { status: 401, when: 'The bearer token is past its expiry: refresh it.' },
  INVALID_CREDENTIALS: { status: 401, when: 'E-mail and password do not match an account.' },
  INVALID_REFRESH_TOKEN: {
    status: 401,
    when: 'The refresh token is unknown, expired or was ended by a logout.',
  },
  CARD_DECLINED: { status: 402, when: 'The card charge was declined.' },
  IP_NOT_ALLOWED: { status: 403, when: 'The API key may not be used from this address.' },
  INSUFFICIENT_SCOPE: { status: 403, when: 'The API key lacks a scope; the message names it.' },
  MERCHANT_NOT_APPROVED: { status: 403, when: 'Production needs an approved account.' },
  MERCHANT_SUSPENDED: {
    status: 403,
    when: 'The account is suspended or rejected: no new charges, withdrawals, destinations or API keys.',
  },
  CARD_NOT_ENABLED: { status: 403, when: 'The account is not enabled for card charges in production.' },
  SANDBOX_ONLY: { status: 403, when: 'The operation exists in the sandbox only.' },
  FORBIDDEN: { status: 403, when: 'The operator’s role does not allow it.' },
  NOT_FOUND: {
    status: 404,
    when: 'No such thing, or it belongs to another account or to the other environment.',
  },
  METHOD_NOT_ALLOWED: { status: 405, when: 'The path exists, the method does not.' },
  NOT_ACCEPTABLE: {
    status: 406,
    when: 'The path answers in none of the types that `Accept` names; the message says in which.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    when: 'The request did not arrive whole in time; the connection is closed.',
  },
  ACCOUNT_EXISTS: {
    status: 409,
    when: 'The e-mail is registered already, or an approved account has the CNPJ.',
  },
  OPERATOR_EXISTS: { status: 409, when: 'An operator has the e-mail already.' },
  EXTERNAL_ID_CONFLICT: {
    status: 409,
    when: 'The externalId was used with other data; the message names the fields.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    when: 'The Idempotency-Key was sent with another request: another endpoint, path or body.',
  },
  REQUEST_IN_PROGRESS: {
    status: 409,
    when: 'Something that must end first is under way: the same request, or a refund. Try again shortly.',
  },
  CHARGE_NOT_CANCELLABLE: {
    status: 409,
    when: 'The charge is no longer pending, for example paid meanwhile.',
  },
  CHARGE_NOT_REFUNDABLE: {
    status: 409,
    when: 'The charge is not PAID, as when it was refunded before, perhaps by a request whose answer was lost.',
  },
  REFUND_REFUSED: {
    status: 409,
    when: 'The provider refused this refund: its amount goes back to the balance, and another may be requested under a new Idempotency-Key.',
  },
  CHARGE_NOT_PAYABLE: { status: 409, when: 'The charge is no longer pending and can’t be paid.' },
  NO_SANDBOX_BANK: {
    status: 409,
    when: 'The sandbox of this installation is served by another provider than the sandbox bank.',
  },
  LINK_NOT_OPEN: {
    status: 409,
    when: 'The payment link is switched off or expired, or its merchant may not charge.',
  },
  NO_USES_LEFT: {
    status: 409,
    when: 'Others have paid the payment link as often as it can be; a payment that came after them goes back.',
  },
  CARD_TRIES_USED: { status: 409, when: 'Five cards were declined in this visit: pay it by Pix.' },
  CARDS_PAUSED: {
    status: 409,
    when: 'Many cards were declined at the payment link within 15 minutes, also from your network: it takes none from there until that has passed.',
  },
  INVALID_STATE: { status: 409, when: 'The state it is in does not allow this step.' },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    when: 'The body is larger than 100 KiB, or than 10 KiB where no credentials are needed.',
  },
  URI_TOO_LONG: { status: 414, when: 'The path and query are longer than 8 KiB.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    when: 'The body is not application/json in UTF-8, or a `Content-Encoding` was sent, even without a body.',
  },
  INSUFFICIENT_BALANCE: { status: 422, when: 'The balance does not cover the amount.' },
  API_KEY_LIMIT_REACHED: { status: 422, when: 'The organization has 100 API keys that work already.' },
  FILE_LIMIT_REACHED: {
    status: 422,
    when: 'The dispute has five files already, or all your disputes together what they may have (in the sandbox 100 MB); the message says which, and what to do.',
  },
  LOGO_LIMIT_REACHED: {
    status: 422,
    when: 'The account has 100 payment links with a logo of their own already.',
  },
  DESTINATION_LIMIT_REACHED: { status: 422, when: 'The account keeps as many destinations as it may.' },
  INVALID_QR_CODE: { status: 422, when: 'The Pix code can’t be paid; the message says why.' },
  QR_CODE_UNRESOLVABLE: {
    status: 422,
    when: 'What the Pix code asks for can’t be had from its bank; the message says whether the bank has it no more.',
  },
  WITHDRAWAL_LIMIT_REACHED: {
    status: 422,
    when: 'With this withdrawal the account would pass its limit of the day (America/Sao_Paulo).',
  },
  WEBHOOK_LIMIT_REACHED: { status: 422, when: 'The organization has five webhook configurations already.' },
  RATE_LIMITED: { status: 429, when: 'Too many requests; come back after Retry-After seconds.' },
  HEADERS_TOO_LARGE: {
    status: 431,
    when: 'More than 100 headers, or more than 16 KiB of request line and headers.',
  },
  INTERNAL_ERROR: { status: 500, when: 'A defect on our side; quote the X-Request-Id.' },
  NOT_IMPLEMENTED: { status: 501, when: 'No endpoint of ours takes this method.' },
  PROVIDER_ERROR: { status: 502, when: 'The payment provider answered something we can’t use.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    when: 'Try again after Retry-After seconds; what has neither externalId nor Idempotency-Key may have been done: look first.',
  },
  PROVIDER_UNAVAILABLE: {
    status: 503,
    when: 'The payment provider does not answer, or we hold orders to it up; send the same request again.',
  },
} as const;

export type ErrorCode = keyof typeof errorCatalogue;
