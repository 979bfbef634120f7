import { ApiError, ConnectionError } from './client/index.ts';

export { ApiError, ConnectionError };

/** Thrown when the card was declined. `code` is `CARD_DECLINED`, and `reason` has the cause. */
export class CardDeclinedError extends ApiError {
  constructor(...given: ConstructorParameters<typeof ApiError>) {
    super(...given);
    this.name = 'CardDeclinedError';
  }
}

/** Thrown when no answer came before the timeout. */
export class TimeoutError extends ConnectionError {
  constructor(cause?: unknown, idempotencyKey?: string) {
    super(cause, idempotencyKey);
    this.name = 'TimeoutError';
    this.message = 'the API did not answer in time';
  }
}

/**
 * Thrown when the API may have made a change, because an attempt had no clear answer or the caller cancelled
 * the call. `cause` is the error of the last attempt: an `ApiError` or the reason of the signal.
 */
export class UnknownOutcomeError extends ConnectionError {
  constructor(cause?: unknown, idempotencyKey?: string) {
    super(cause, idempotencyKey);
    this.name = 'UnknownOutcomeError';
    const how = cause instanceof Error ? `: ${cause.message}` : '';
    this.message = `it is unknown whether the change was made${how}`;
  }
}
