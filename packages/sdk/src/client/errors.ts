import type { ErrorCode } from '@plataforma/contracts';

interface Refused {
  /** A code of the catalogue; a later release of the API may know more. */
  code: ErrorCode | (string & {});
  status: number;
  message: string;
  /** Why a card was declined; null of any other refusal. */
  reason: string | null;
  /** Support finds a request by it. */
  requestId: string | null;
  /** Seconds, of a 429 or 503. */
  retryAfter: number | null;
  /** The call's key, where it had one. */
  idempotencyKey?: string | null | undefined;
}

/** The API has refused: `code` tells programs why, `message` people. */
export class ApiError extends Error {
  /** A code of the catalogue of errors; a later release of the API may know more. */
  readonly code: Refused['code'];
  readonly status: number;
  /** Why a card was declined; null of any other refusal. */
  readonly reason: string | null;
  /** The field or parameter that a `VALIDATION_ERROR` is about, such as `payerDocument`. */
  readonly field: string | null;
  /** Support finds a request by it. */
  readonly requestId: string | null;
  /** Seconds after which the same call may be made again, of a 429 or 503. */
  readonly retryAfter: number | null;
  /** The call's key: repeated with it, the call does nothing twice. */
  readonly idempotencyKey: string | null;

  constructor(refused: Refused) {
    super(refused.message);
    this.name = 'ApiError';
    this.code = refused.code;
    this.status = refused.status;
    this.reason = refused.reason;
    this.field = refused.code === 'VALIDATION_ERROR' ? fieldIn(refused.message) : null;
    this.requestId = refused.requestId;
    this.retryAfter = refused.retryAfter;
    this.idempotencyKey = refused.idempotencyKey ?? null;
  }
}

/** Messages of a VALIDATION_ERROR begin with it: `amount: is required`. */
function fieldIn(message: string): string | null {
  return /^([\w.[\]-]+)[:,] /.exec(message)?.[1] ?? null;
}

/** No answer of the API came, or none that is its own: it is unknown whether a change was made. */
export class ConnectionError extends Error {
  /** The call's key: repeated with it, the call does nothing twice. */
  readonly idempotencyKey: string | null;

  constructor(cause?: unknown, idempotencyKey?: string) {
    super('no answer came from the API', { cause });
    this.name = 'ConnectionError';
    this.idempotencyKey = idempotencyKey ?? null;
  }
}
