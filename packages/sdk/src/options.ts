/** The options of `new Plataforma`. */
export interface PlataformaOptions {
  /** A key of the sandbox or of production: it decides where all calls go. */
  apiKey: string;
  /** Where the platform answers, such as `https://api.example`. */
  baseUrl: string;
  /** Takes an address that begins with `http:` and is neither of this machine nor of a private network: the key goes there in clear. */
  allowHttp?: boolean;
  /** Until a try is given up, 30,000 by default. */
  timeoutMs?: number;
  /** Tries after the first one, 2 by default; 0 tries once. */
  maxRetries?: number;
  /** Instead of the runtime's own. */
  fetch?: typeof globalThis.fetch;
  /** Called after every try: for logs and metrics. What it throws is passed over. */
  onRequest?: (request: RequestReport) => void;
}

/** The options of each call. */
export interface RequestOptions {
  /** Gives the call up. */
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
  headers?: Record<string, string>;
}

/** The options of a call that creates: all its tries have one key. */
export interface WriteOptions extends RequestOptions {
  /** Made for each call when it is left out. A call with the same key and body does nothing twice. */
  idempotencyKey?: string;
}

/** One try of a call. */
export interface RequestReport {
  method: string;
  url: string;
  /** Counted from 1. */
  attempt: number;
  durationMs: number;
  /** Null: no answer came. */
  status: number | null;
  /** Support finds a request by it. */
  requestId: string | null;
  /** Names input that the sandbox accepted and production would refuse. */
  sandboxWarning: string | null;
}
