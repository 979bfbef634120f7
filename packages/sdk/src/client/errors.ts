import type { ErrorCode } from '@plataforma/contracts';

interface Refused {
  /** A code of the catalogue of errors. Later releases of the API may add codes. */
  code: ErrorCode | (string & {});
  status: number;
  message: string;
  /** The reason of a declined card. Null for any other refusal. */
  reason: string | null;
  /** The id of the request, for questions to support. */
  requestId: string | null;
  /** Seconds until the same call may be repeated, for a 429 or 503. */
  retryAfter: number | null;
  /** The call's Idempotency-Key, if the call had a key. */
  idempotencyKey?: string | null | undefined;
}

/** A refusal by the API. Programs decide by `code`; people read `message`. */
export class ApiError extends Error {
  /** A code of the catalogue of errors. Later releases of the API may add codes. */
  readonly code: Refused['code'];
  readonly status: number;
  /** The reason of a declined card. Null for any other refusal. */
  readonly reason: string | null;
  /** The field or parameter that caused a `VALIDATION_ERROR`, such as `payerDocument`. */
  readonly field: string | null;
  /** The id of the request, for questions to support. */
  readonly requestId: string | null;
  /** Seconds until the same call may be repeated, for a 429 or 503. */
  readonly retryAfter: number | null;
  /**
   * The call's Idempotency-Key. When the call is repeated with this key, the API does not make the change
   * again.
   */
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

/** A VALIDATION_ERROR's message begins with the field, as in `amount: is required`. */
function fieldIn(message: string): string | null {
  return /^([\w.[\]-]+)[:,] /.exec(message)?.[1] ?? null;
}

/** Thrown when no valid answer came from the API. The outcome of a change is then unknown. */
export class ConnectionError extends Error {
  /**
   * The call's Idempotency-Key. When the call is repeated with this key, the API does not make the change
   * again.
   */
  readonly idempotencyKey: string | null;

  constructor(cause?: unknown, idempotencyKey?: string) {
    super('no answer came from the API', { cause });
    this.name = 'ConnectionError';
    this.idempotencyKey = idempotencyKey ?? null;
  }
}
