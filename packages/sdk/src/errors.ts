import { ApiError, ConnectionError } from './client/index.ts';

export { ApiError, ConnectionError };

/** The card was declined. `reason` has the cause and `code` is `CARD_DECLINED`. */
export class CardDeclinedError extends ApiError {
  constructor(...given: ConstructorParameters<typeof ApiError>) {
    super(...given);
    this.name = 'CardDeclinedError';
  }
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  constructor(cause?: unknown, idempotencyKey?: string) {
    super(cause, idempotencyKey);
    this.name = 'TimeoutError';
    this.message = 'the API did not answer in time';
  }
}

/**
 * A change may have been made, because an attempt had no clear answer or the caller cancelled the call.
 * `cause` is the end of the last attempt: an `ApiError` or the reason of the signal.
 */
export class UnknownOutcomeError extends ConnectionError {
  constructor(cause?: unknown, idempotencyKey?: string) {
    super(cause, idempotencyKey);
    this.name = 'UnknownOutcomeError';
    const how = cause instanceof Error ? `: ${cause.message}` : '';
    this.message = `it is unknown whether the change was made${how}`;
  }
}
