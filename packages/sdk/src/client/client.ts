import type { AnswerTo, Call, CallOptions, RouteName } from './call.ts';
import { ApiError, ConnectionError } from './errors.ts';

export interface ClientOptions {
  /**
   * The API's URL without a slash at its end. In a browser, a path such as `/api` is an address of the page's
   * own origin.
   */
  baseUrl: string;
  /** The headers of each call, such as `x-api-key`, or a function that returns them before each call. */
  headers?: Record<string, string> | (() => Record<string, string>);
  fetch?: typeof fetch;
}

export interface RequestInput extends CallOptions {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string;
}

/**
 * Returns a typed client of the API. It never retries: a caller that repeats a call must send the same
 * Idempotency-Key.
 */
export function createClient(options: ClientOptions): Call {
  function call<Name extends RouteName>(name: Name, ...input: unknown[]): Promise<AnswerTo<Name>>;
  async function call(name: string, ...[given]: unknown[]): Promise<unknown> {
    return request(options, name, isInput(given) ? given : {});
  }
  return call;
}

/** Calls an endpoint once. Returns `unknown`, because only the caller knows the type of the answer. */
export async function request(options: ClientOptions, name: string, input: RequestInput): Promise<unknown> {
  return answerOf(await send(options, name, input), input);
}

/**
 * Requests a file once, and returns the response before its body is read. Throws if the type of the file is
 * not the one that the header `accept` names.
 */
export async function requestFile(
  options: ClientOptions,
  name: string,
  input: RequestInput,
): Promise<Response> {
  const response = await send(options, name, input);
  const type = response.headers.get('content-type')?.split(';')[0];
  if (response.ok && type === input.headers?.accept) return response;
  await answerOf(response, input);
  throw new ConnectionError();
}

async function send({ baseUrl, headers = {}, ...options }: ClientOptions, name: string, input: RequestInput) {
  const [method = '', path = ''] = name.split(' ');
  const own = typeof headers === 'function' ? headers() : headers;
  const url = baseUrl + filled(path, input.params) + searchOf(input.query);
  const { headers: bodyHeaders, ...body } = bodyOf(input.body);
  const sent = new Headers(bodyHeaders);
  // Sets the headers one by one, because header names ignore case and two spellings of a name would both be
  // sent.
  for (const given of [own, input.headers ?? {}, keyOf(input)]) {
    for (const [header, value] of Object.entries(given)) sent.set(header, value);
  }
  // A followed redirect would send the key and the body to another address.
  const request = { method, ...body, headers: sent, redirect: 'manual', cache: 'no-store' } as const;
  const signalled = input.signal ? { ...request, signal: input.signal } : request;
  const response = await cacheTolerant(options.fetch ?? fetch)(url, signalled).catch((cause) => {
    input.signal?.throwIfAborted();
    throw new ConnectionError(cause, input.idempotencyKey);
  });
  if (!isRedirect(response)) return response;
  await response.body?.cancel();
  throw new ConnectionError(
    new Error('redirects are not followed: name the API itself'),
    input.idempotencyKey,
  );
}

const refusing = new WeakSet<typeof fetch>();
/**
 * The error texts of workerd (Cloudflare Workers), which refuses the field `cache` before it sends a request.
 */
const REFUSED_CACHE = /'?cache'? field on|unsupported cache mode/i;

/** Returns a `fetch` that omits `cache` where the runtime refuses this field. */
export function cacheTolerant(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (url, init = {}) => {
    const { cache: _cache, ...plain } = init;
    if (refusing.has(fetch)) return fetch(url, plain);
    try {
      return await fetch(url, init);
    } catch (error) {
      if (!(error instanceof Error && REFUSED_CACHE.test(error.message))) throw error;
      refusing.add(fetch);
      return fetch(url, plain);
    }
  };
}

/**
 * Browsers hide the target and the status of a redirect. Only the type of the response reveals the redirect.
 */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function filled(path: string, params: Record<string, string> = {}): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
}

function searchOf(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => textsOf(name, value));
  const search = new URLSearchParams(given).toString();
  return search === '' ? '' : `?${search}`;
}

/** Writes an object as `name[key]=value`, once for each key. */
function textsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (!isRecord(value)) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, each]) => textsOf(`${name}[${key}]`, each));
}

function bodyOf(body: unknown): { headers: Record<string, string>; body?: string | FormData } {
  if (body === undefined) return { headers: { accept: 'application/json' } };
  if (isRecord(body) && Object.values(body).some(isFile)) {
    return { headers: { accept: 'application/json' }, body: formOf(body) };
  }
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  return { headers, body: JSON.stringify(body) };
}

/** Returns a form for input with a file. `fetch` sets its content type. */
function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(name, isFile(value) ? value : String(value));
  }
  return form;
}

function isFile(value: unknown): value is File {
  return value instanceof File;
}

function keyOf({ idempotencyKey }: RequestInput): Record<string, string> {
  return idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
}

/** Throws a ConnectionError for a body that is not JSON, because a proxy may answer instead of the API. */
async function answerOf(response: Response, { signal, idempotencyKey }: RequestInput): Promise<unknown> {
  const envelope = await response.json().catch((cause) => {
    signal?.throwIfAborted();
    throw new ConnectionError(cause, idempotencyKey);
  });
  if (isRecord(envelope) && isRecord(envelope.error)) {
    throw refusalOf(response, envelope.error, idempotencyKey);
  }
  if (!response.ok || !isRecord(envelope) || !('data' in envelope)) {
    throw new ConnectionError(undefined, idempotencyKey);
  }
  return 'meta' in envelope ? { data: envelope.data, meta: envelope.meta } : envelope.data;
}

function refusalOf({ status, headers }: Response, error: Record<string, unknown>, idempotencyKey?: string) {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new ApiError({
    code: String(error.code),
    status,
    message: String(error.message),
    reason: typeof error.reason === 'string' ? error.reason : null,
    requestId: headers.get('x-request-id'),
    retryAfter: Number.isFinite(seconds) ? seconds : null,
    idempotencyKey,
  });
}

/** The compiler has already checked the type at the call. */
function isInput(value: unknown): value is RequestInput {
  return isRecord(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
