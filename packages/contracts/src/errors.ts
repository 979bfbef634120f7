import type { RefusalKind } from '@plataforma/kernel';

/**
 * The message of the error for a card token that cannot be used. The gateway recognizes the error by this
 * message, and counts it as a declined card of the caller's network.
 */
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

const meanings = {
  400: {
    VALIDATION_ERROR: 'A field or parameter is invalid or missing. The message names it.',
    ENVIRONMENT_MISMATCH: 'The X-Environment header names a different environment from that of the API key.',
    REFUND_NOT_SUPPORTED: 'The provider of this charge does not return money through its API.',
  },
  401: {
    UNAUTHORIZED: 'The request has no credentials, or credentials of an unknown form.',
    INVALID_API_KEY: 'The API key does not exist.',
    API_KEY_EXPIRED: 'The API key is past its expiry date.',
    API_KEY_REVOKED: 'The API key was revoked, or it was rotated and its grace period is over.',
    INVALID_TOKEN: 'The bearer token is not valid, or its session was ended.',
    TOKEN_EXPIRED: 'The bearer token is expired. Refresh it.',
    INVALID_CREDENTIALS: 'The e-mail address and password do not match any account.',
    INVALID_REFRESH_TOKEN: 'The refresh token is unknown or expired, or a logout ended it.',
    SECOND_FACTOR_REQUIRED:
      'The password is correct. Send it again with `otp`, a code of the second factor, or with `passkey`, ' +
      'the answer of a passkey to the challenge in `error.passkey`.',
    SECOND_FACTOR_ENROLMENT:
      'The password is correct, and the operator has no second factor yet. Add the address in ' +
      '`error.otpauth` to an authenticator app, and send the password again with a code as `otp`.',
    INVALID_SECOND_FACTOR:
      'The code of the second factor, or the answer of the passkey, is wrong or expired, or it was used ' +
      'before.',
  },
  402: { CARD_DECLINED: 'The card charge was declined.' },
  403: {
    IP_NOT_ALLOWED: 'The API key, or the account of an operator, may not be used from this address.',
    INSUFFICIENT_SCOPE: 'The API key lacks a scope. The message names the scope.',
    MERCHANT_NOT_APPROVED: 'Production needs an approved account.',
    MERCHANT_SUSPENDED:
      'The account is suspended or rejected. It can’t create charges, withdrawals, destinations or API ' +
      'keys.',
    CARD_NOT_ENABLED: 'The account is not enabled for card charges in production.',
    SANDBOX_ONLY: 'The operation is available in the sandbox only.',
    FORBIDDEN: 'The operator’s role does not allow it.',
    SECOND_FACTOR_STALE:
      'The operator’s last second factor is older than five minutes. Confirm it at ' +
      '/v1/admin/auth/confirm, and send the request again with the new access token.',
  },
  404: {
    NOT_FOUND: 'The object does not exist, or it belongs to another account or to the other environment.',
    PIX_KEY_NOT_FOUND: 'No account has this Pix key.',
  },
  405: { METHOD_NOT_ALLOWED: 'The path exists, but the method does not.' },
  406: {
    NOT_ACCEPTABLE:
      'The path offers none of the types that `Accept` names. The message lists the types that it offers.',
  },
  408: { REQUEST_TIMEOUT: 'The request did not arrive completely in time. The connection is closed.' },
  409: {
    ACCOUNT_EXISTS: 'The e-mail address is registered already, or an approved account has the CNPJ.',
    OPERATOR_EXISTS: 'Another operator has the e-mail address already.',
    EXTERNAL_ID_CONFLICT: 'The externalId was used with other data. The message names the fields.',
    IDEMPOTENCY_CONFLICT: 'The Idempotency-Key was used with a different endpoint, path or body.',
    REQUEST_IN_PROGRESS: 'Another operation must end first: the same request, or a refund. Retry shortly.',
    CHARGE_NOT_CANCELLABLE: 'The charge is no longer pending, for example because it was paid meanwhile.',
    CHARGE_NOT_REFUNDABLE:
      'The charge is not PAID. It may have been refunded before, perhaps by a request that lost its ' +
      'response.',
    REFUND_REFUSED:
      'The provider refused this refund. Its amount returns to the balance, and you may request another ' +
      'refund under a new Idempotency-Key.',
    CHARGE_NOT_PAYABLE: 'The charge is no longer pending and can’t be paid.',
    NO_SANDBOX_BANK: 'The sandbox of this installation uses another provider, not the sandbox bank.',
    LINK_NOT_OPEN: 'The payment link is inactive or expired, or its merchant may not create charges.',
    NO_USES_LEFT: 'Other buyers have used up the payment link. A later payment is returned.',
    CARD_TRIES_USED: 'Five cards were declined in this visit. Pay by Pix.',
    CARDS_PAUSED:
      'Many cards were declined at the payment link within 15 minutes, including cards from your network. ' +
      'The link accepts no card from that network until this time has passed.',
    INVALID_STATE: 'The current state of the object does not allow this step.',
    PASSKEYS_NOT_CONFIGURED: 'This installation takes no passkeys, because OPERATOR_ORIGINS is not set.',
  },
  413: {
    PAYLOAD_TOO_LARGE:
      'The body is larger than 100 KiB, or than 10 KiB for an endpoint that needs no credentials.',
  },
  414: { URI_TOO_LONG: 'The path and query are longer than 8 KiB together.' },
  415: {
    UNSUPPORTED_MEDIA_TYPE:
      'The body is not application/json in UTF-8, or the request has a `Content-Encoding`, even without a ' +
      'body.',
  },
  422: {
    INSUFFICIENT_BALANCE: 'The balance does not cover the amount.',
    API_KEY_LIMIT_REACHED: 'The organization has 100 active API keys already.',
    FILE_LIMIT_REACHED:
      'The dispute has five files already, or all your disputes together have reached their limit (in the ' +
      'sandbox 100 MB). The message names the limit and the solution.',
    LOGO_LIMIT_REACHED: 'The account already has 100 payment links with their own logo.',
    DESTINATION_LIMIT_REACHED: 'The account has reached its maximum number of destinations.',
    INVALID_CNPJ:
      'The check digits of the merchant’s CNPJ are wrong, so no company has it. Reject the merchant, or ' +
      'approve it with `{"force": true}`.',
    INVALID_QR_CODE: 'The Pix code can’t be paid. The message gives the reason.',
    QR_CODE_UNRESOLVABLE:
      'The charge of the Pix code could not be read from its bank. The message states whether the bank no ' +
      'longer has it.',
    WITHDRAWAL_LIMIT_REACHED: 'The withdrawal would exceed the account’s daily limit (America/Sao_Paulo).',
    INVALID_PASSKEY:
      'The answer of the browser fits no challenge of this session, or its passkey exists already. Get a ' +
      'new challenge, and try again.',
    PASSKEY_LIMIT_REACHED: 'The operator has ten passkeys already. Delete one first.',
    WEBHOOK_LIMIT_REACHED: 'The organization already has five webhook configurations.',
  },
  429: {
    RATE_LIMITED: 'Too many requests. Retry after the seconds in Retry-After.',
    SECOND_FACTOR_LOCKED:
      'Five wrong codes or answers of passkeys have locked the second factor for 15 minutes. Retry after ' +
      'the seconds in Retry-After.',
  },
  431: {
    HEADERS_TOO_LARGE:
      'The request has more than 100 headers, or more than 16 KiB of request line and headers.',
  },
  500: { INTERNAL_ERROR: 'An internal error of the platform. Quote the X-Request-Id in a support request.' },
  501: { NOT_IMPLEMENTED: 'No endpoint accepts this method.' },
  502: { PROVIDER_ERROR: 'The payment provider returned an invalid response.' },
  503: {
    SERVICE_UNAVAILABLE:
      'Retry after the seconds in Retry-After. A request with neither externalId nor Idempotency-Key may ' +
      'have taken effect, so check first.',
    PROVIDER_UNAVAILABLE:
      'The payment provider does not answer, or the platform has paused orders to it. Retry the same ' +
      'request.',
  },
} as const;

type Meanings = typeof meanings;
export type ErrorCode = { [Status in keyof Meanings]: keyof Meanings[Status] }[keyof Meanings];

export const errorCatalogue = Object.fromEntries(
  Object.entries(meanings).flatMap(([status, codes]) =>
    Object.entries(codes).map(([code, when]) => [code, { status: Number(status), when }]),
  ),
) as Record<ErrorCode, { status: number; when: string }>;
