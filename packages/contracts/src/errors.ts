import type { RefusalKind } from '@plataforma/kernel';

/** The refusal of a token that no card can be charged with; the gateway counts it among an address's declines. */
export const USELESS_CARD_TOKEN = 'cardToken: is unknown, used or expired: tokenize the card again';

/** The one place where a sort of refusal becomes an HTTP status. */
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

const meanings = {
  400: {
    VALIDATION_ERROR: 'A field or parameter is invalid or missing; the message names it.',
    ENVIRONMENT_MISMATCH: 'X-Environment names another environment than that of the API key.',
    REFUND_NOT_SUPPORTED: 'The provider of this charge does not return money through its API.',
  },
  401: {
    UNAUTHORIZED: 'No credentials, or credentials of an unknown form.',
    INVALID_API_KEY: 'The API key does not exist.',
    API_KEY_EXPIRED: 'The API key is past its expiry date.',
    API_KEY_REVOKED: 'The API key was revoked, or was rotated and its grace period is over.',
    INVALID_TOKEN: 'The bearer token is not valid, or its session was ended.',
    TOKEN_EXPIRED: 'The bearer token is past its expiry: refresh it.',
    INVALID_CREDENTIALS: 'E-mail and password do not match an account.',
    INVALID_REFRESH_TOKEN: 'The refresh token is unknown, expired or was ended by a logout.',
  },
  402: { CARD_DECLINED: 'The card charge was declined.' },
  403: {
    IP_NOT_ALLOWED: 'The API key may not be used from this address.',
    INSUFFICIENT_SCOPE: 'The API key lacks a scope; the message names it.',
    MERCHANT_NOT_APPROVED: 'Production needs an approved account.',
    MERCHANT_SUSPENDED:
      'The account is suspended or rejected: no new charges, withdrawals, destinations or API keys.',
    CARD_NOT_ENABLED: 'The account is not enabled for card charges in production.',
    SANDBOX_ONLY: 'The operation exists in the sandbox only.',
    FORBIDDEN: 'The operator’s role does not allow it.',
  },
  404: { NOT_FOUND: 'No such thing, or it belongs to another account or to the other environment.' },
  405: { METHOD_NOT_ALLOWED: 'The path exists, the method does not.' },
  406: {
    NOT_ACCEPTABLE: 'The path answers in none of the types that `Accept` names; the message says in which.',
  },
  408: { REQUEST_TIMEOUT: 'The request did not arrive whole in time; the connection is closed.' },
  409: {
    ACCOUNT_EXISTS: 'The e-mail is registered already, or an approved account has the CNPJ.',
    OPERATOR_EXISTS: 'An operator has the e-mail already.',
    EXTERNAL_ID_CONFLICT: 'The externalId was used with other data; the message names the fields.',
    IDEMPOTENCY_CONFLICT:
      'The Idempotency-Key was sent with another request: another endpoint, path or body.',
    REQUEST_IN_PROGRESS:
      'Something that must end first is under way: the same request, or a refund. Try again shortly.',
    CHARGE_NOT_CANCELLABLE: 'The charge is no longer pending, for example paid meanwhile.',
    CHARGE_NOT_REFUNDABLE:
      'The charge is not PAID, as when it was refunded before, perhaps by a request whose answer was lost.',
    REFUND_REFUSED:
      'The provider refused this refund: its amount goes back to the balance, and another may be requested under a new Idempotency-Key.',
    CHARGE_NOT_PAYABLE: 'The charge is no longer pending and can’t be paid.',
    NO_SANDBOX_BANK: 'The sandbox of this installation is served by another provider than the sandbox bank.',
    LINK_NOT_OPEN: 'The payment link is switched off or expired, or its merchant may not charge.',
    NO_USES_LEFT:
      'Others have paid the payment link as often as it can be; a payment that came after them goes back.',
    CARD_TRIES_USED: 'Five cards were declined in this visit: pay it by Pix.',
    CARDS_PAUSED:
      'Many cards were declined at the payment link within 15 minutes, also from your network: it takes none from there until that has passed.',
    INVALID_STATE: 'The state it is in does not allow this step.',
  },
  413: {
    PAYLOAD_TOO_LARGE: 'The body is larger than 100 KiB, or than 10 KiB where no credentials are needed.',
  },
  414: { URI_TOO_LONG: 'The path and query are longer than 8 KiB.' },
  415: {
    UNSUPPORTED_MEDIA_TYPE:
      'The body is not application/json in UTF-8, or a `Content-Encoding` was sent, even without a body.',
  },
  422: {
    INSUFFICIENT_BALANCE: 'The balance does not cover the amount.',
    API_KEY_LIMIT_REACHED: 'The organization has 100 API keys that work already.',
    FILE_LIMIT_REACHED:
      'The dispute has five files already, or all your disputes together what they may have (in the sandbox 100 MB); the message says which, and what to do.',
    LOGO_LIMIT_REACHED: 'The account has 100 payment links with a logo of their own already.',
    DESTINATION_LIMIT_REACHED: 'The account keeps as many destinations as it may.',
    INVALID_QR_CODE: 'The Pix code can’t be paid; the message says why.',
    QR_CODE_UNRESOLVABLE:
      'What the Pix code asks for can’t be had from its bank; the message says whether the bank has it no more.',
    WITHDRAWAL_LIMIT_REACHED:
      'With this withdrawal the account would pass its limit of the day (America/Sao_Paulo).',
    WEBHOOK_LIMIT_REACHED: 'The organization has five webhook configurations already.',
  },
  429: { RATE_LIMITED: 'Too many requests; come back after Retry-After seconds.' },
  431: { HEADERS_TOO_LARGE: 'More than 100 headers, or more than 16 KiB of request line and headers.' },
  500: { INTERNAL_ERROR: 'A defect on our side; quote the X-Request-Id.' },
  501: { NOT_IMPLEMENTED: 'No endpoint of ours takes this method.' },
  502: { PROVIDER_ERROR: 'The payment provider answered something we can’t use.' },
  503: {
    SERVICE_UNAVAILABLE:
      'Try again after Retry-After seconds; what has neither externalId nor Idempotency-Key may have been done: look first.',
    PROVIDER_UNAVAILABLE:
      'The payment provider does not answer, or we hold orders to it up; send the same request again.',
  },
} as const;

type Meanings = typeof meanings;
export type ErrorCode = { [Status in keyof Meanings]: keyof Meanings[Status] }[keyof Meanings];

/** Every code a failure envelope can carry, its status, and when it is given. */
export const errorCatalogue = Object.fromEntries(
  Object.entries(meanings).flatMap(([status, codes]) =>
    Object.entries(codes).map(([code, when]) => [code, { status: Number(status), when }]),
  ),
) as Record<ErrorCode, { status: number; when: string }>;
