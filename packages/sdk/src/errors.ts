import { ApiError, ConnectionError } from '@plataforma/client';

export { ApiError, ConnectionError };

/** The card was declined: `reason` says why, `code` is `CARD_DECLINED`. */
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
