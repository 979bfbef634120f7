import {
  ApiError,
  ConnectionError,
  cacheTolerant,
  type RequestInput,
  request,
  requestFile,
} from './client/index.ts';
import { CardDeclinedError, TimeoutError } from './errors.ts';
import type { PlataformaOptions, RequestOptions } from './options.ts';
import { isRepeatable, retrying } from './retries.ts';
import { VERSION } from './version.ts';

/** The input of a method and the options that its caller gave. */
export type Sent = RequestInput & RequestOptions;

export interface Transport {
  /** Returns the answer's `data`, or a page of a list. The caller knows the type of the answer. */
  json<Answer>(name: string, sent: Sent): Promise<Answer>;
  /** Downloads a file. Returns the result of `read`, which gets the response with the file. */
  file<Read>(name: string, sent: Sent, read: (response: Response) => Promise<Read>): Promise<Read>;
}

type Send<Result> = (fetch: typeof globalThis.fetch, input: RequestInput) => Promise<Result>;

/** Creates the transport, which sends requests and retries them. */
export function createTransport(options: PlataformaOptions): Transport {
  const baseUrl = baseUrlOf(options);
  const headers = { 'x-api-key': options.apiKey, 'x-plataforma-client': `sdk-js/${VERSION}` };

  function tried<Result>(name: string, sent: Sent, send: Send<Result>): Promise<Result> {
    const { timeoutMs = options.timeoutMs ?? 30_000, maxRetries = options.maxRetries ?? 2, ...input } = sent;
    const retries = isRepeatable(name, input) ? maxRetries : 0;
    return retrying(name, { ...input, retries }, (attempt) =>
      timed(timeoutMs, input, (signal) => send(reporting(options, attempt), { ...input, signal })),
    );
  }

  function json<Answer>(name: string, sent: Sent): Promise<Answer>;
  function json(name: string, sent: Sent): Promise<unknown> {
    return tried(name, sent, (fetch, input) => request({ baseUrl, headers, fetch }, name, input));
  }

  return {
    json,
    file: (name, sent, read) =>
      tried(name, sent, async (fetch, input) => {
        const response = await requestFile({ baseUrl, headers, fetch }, name, input);
        return read(response).catch((cause) => {
          input.signal?.throwIfAborted();
          throw new ConnectionError(cause);
        });
      }),
  };
}

/** Runs one attempt, and cancels it at its timeout or when the caller's signal is aborted. */
async function timed<Result>(
  timeoutMs: number,
  { signal, idempotencyKey }: RequestInput,
  send: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const end = () => ending.abort(signal?.reason);
  // The attempt clears its timer at its end. Otherwise thousands of calls would leave thousands of timers.
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener('abort', end);
  try {
    signal?.throwIfAborted();
    return await send(ending.signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ApiError)
      throw error.code === 'CARD_DECLINED' ? new CardDeclinedError(error) : error;
    throw ending.signal.aborted ? new TimeoutError(error, idempotencyKey) : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Returns a `fetch` that reports each request. */
function reporting(options: PlataformaOptions, attempt: number): typeof globalThis.fetch {
  const { fetch = globalThis.fetch, onRequest } = options;
  if (!onRequest) return fetch;
  const send = cacheTolerant(fetch);
  return async (url, init) => {
    const began = performance.now();
    const report = (response?: Response) => {
      const { status = null, headers } = response ?? {};
      try {
        onRequest({
          ...{ method: init?.method ?? 'GET', url: String(url), attempt, status },
          durationMs: performance.now() - began,
          requestId: headers?.get('x-request-id') ?? null,
          sandboxWarning: headers?.get('x-sandbox-warning') ?? null,
        });
      } catch {
        // An error of the caller's `onRequest` must not make the call fail.
      }
    };
    const response = await send(url, init).catch((error) => {
      report();
      throw error;
    });
    report(response);
    return response;
  };
}

/**
 * Returns whether the host is loopback, a private address, or a name without a dot, which no public resolver
 * knows. `host` is the `hostname` of a `URL`.
 */
export function isNear(host: string): boolean {
  return (
    /^(?:localhost|.*\.localhost|\[::1\]|\[f[cd][\da-f]{2}:.*\]|[^.:]+)$/.test(host) ||
    /^(?:(?:127|10)(?:\.\d+){3}|(?:192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+){2})$/.test(host)
  );
}

/**
 * Returns the address without a slash at its end. Throws for plain http outside of this machine and private
 * networks.
 */
function baseUrlOf({ baseUrl, allowHttp = false }: { baseUrl: string; allowHttp?: boolean }): string {
  if (!URL.canParse(baseUrl)) throw new TypeError(`baseUrl is no address: ${baseUrl}`);
  const { protocol, hostname, host } = new URL(baseUrl);
  if (protocol !== 'https:' && !(protocol === 'http:' && (allowHttp || isNear(hostname)))) {
    throw new TypeError(
      `baseUrl: the key and all data would go to ${host} in clear: use https, or allowHttp`,
    );
  }
  return baseUrl.replace(/\/+$/, '');
}
