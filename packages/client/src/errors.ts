import type { ErrorCode } from '@plataforma/contracts';

interface Refused {
  /** Of the catalogue; a later release of the API may know more. */
  code: ErrorCode | (string & {});
  status: number;
  message: string;
  /** Why a card was declined; null of any other refusal. */
  reason: string | null;
  /** What support looks a request up by. */
  requestId: string | null;
  /** Seconds, of a 429 or 503. */
  retryAfter: number | null;
}

/** The API has refused: `code` tells programs why, `message` people. */
export class ApiError extends Error {
  readonly code: Refused['code'];
  readonly status: number;
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor({ code, status, message, reason, requestId, retryAfter }: Refused) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.reason = reason;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** No answer of the API came, or none that is its own: it is unknown whether a change was made. */
export class ConnectionError extends Error {
  constructor(cause?: unknown) {
    super('no answer came from the API', { cause });
    this.name = 'ConnectionError';
  }
}
