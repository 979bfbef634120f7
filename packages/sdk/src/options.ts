export interface PlataformaOptions {
  /** A key of the sandbox or of production, which selects the environment of all calls. */
  apiKey: string;
  /** The platform's address, such as `https://api.example`. */
  baseUrl: string;
  /**
   * True to allow an `http:` address outside of this machine and private networks. The API key is then sent
   * unencrypted.
   */
  allowHttp?: boolean;
  /** Milliseconds before an attempt is cancelled. 30,000 by default. */
  timeoutMs?: number;
  /** The number of attempts after the first attempt. 2 by default; 0 disables retries. */
  maxRetries?: number;
  /** A function that replaces the runtime's own `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** A function that is called after every attempt, for logs and metrics. Its errors are ignored. */
  onRequest?: (request: RequestReport) => void;
}

export interface RequestOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
  headers?: Record<string, string>;
}

/** The options of a call that creates an object. All attempts of a call send the same Idempotency-Key. */
export interface WriteOptions extends RequestOptions {
  /**
   * The Idempotency-Key; by default, the SDK generates a key for each call. When a call is repeated with the
   * same key and body, the API does not make the change again.
   */
  idempotencyKey?: string;
}

/** One attempt of a call. */
export interface RequestReport {
  method: string;
  url: string;
  /** The number of the attempt, counted from 1. */
  attempt: number;
  durationMs: number;
  /** Null when no answer came. */
  status: number | null;
  /** The request's id, with which the platform's support can find the request. */
  requestId: string | null;
  /** The API's warning about input that the sandbox accepted and production would refuse. */
  sandboxWarning: string | null;
}
