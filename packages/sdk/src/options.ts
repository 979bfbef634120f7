/** The options of `new Plataforma`. */
export interface PlataformaOptions {
  /** A key of the sandbox or of production, which selects the environment of all calls. */
  apiKey: string;
  /** The platform's address, such as `https://api.example`. */
  baseUrl: string;
  /**
   * Allows an `http:` address outside of this machine and private networks, although the key is then sent
   * unencrypted.
   */
  allowHttp?: boolean;
  /** Milliseconds before an attempt is cancelled. 30,000 by default. */
  timeoutMs?: number;
  /** Attempts after the first one. 2 by default; 0 disables retries. */
  maxRetries?: number;
  /** Replaces the runtime's own `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Called after every attempt, for logs and metrics. Its errors are ignored. */
  onRequest?: (request: RequestReport) => void;
}

/** The options of each call. */
export interface RequestOptions {
  /** Cancels the call. */
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
  headers?: Record<string, string>;
}

/** The options of a call that creates an object. All its attempts have one key. */
export interface WriteOptions extends RequestOptions {
  /** Generated for each call by default. A call with the same key and body changes nothing twice. */
  idempotencyKey?: string;
}

/** One attempt of a call. */
export interface RequestReport {
  method: string;
  url: string;
  /** Counted from 1. */
  attempt: number;
  durationMs: number;
  /** Null when no answer came. */
  status: number | null;
  /** Identifies the request for support. */
  requestId: string | null;
  /** Names input that the sandbox accepted and production would refuse. */
  sandboxWarning: string | null;
}
