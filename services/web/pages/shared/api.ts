import { ApiError, ConnectionError, createClient } from '@plataforma/sdk/client';
import { environmentOf } from './environment.ts';

export const environment = environmentOf(location.pathname);

/** A header that every request of the pages has. A page of another site can't set it. */
export const OWN_HEADERS = { 'x-requested-with': 'plataforma' };

/** Options for calls of the API through this site. The session is a cookie that no script can read. */
export const PAGE = { baseUrl: '/api', headers: { ...OWN_HEADERS, 'x-environment': environment } };
export const call = createClient(PAGE);

/** Calls a route of this site that is not part of the API, such as the session. */
export async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const request = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { ...OWN_HEADERS, accept: 'application/json', 'content-type': 'application/json' };
  const response = await fetch(path, { method, headers, ...request }).catch((cause) => {
    throw new ConnectionError(cause);
  });
  if (response.status === 204) return null;
  const answer = await response.json().catch((cause) => {
    throw new ConnectionError(cause);
  });
  if (response.ok) return answer.data;
  throw new ApiError({
    code: String(answer?.error?.code ?? 'INTERNAL_ERROR'),
    status: response.status,
    message: String(answer?.error?.message ?? ''),
    reason: null,
    requestId: response.headers.get('x-request-id'),
    retryAfter: secondsOf(response.headers.get('retry-after')),
  });
}

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}

/** Returns whether a retry may succeed because the API has not decided the request. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  return [408, 429, 502, 503, 504].includes(error.status) || error.code === 'REQUEST_IN_PROGRESS';
}

export function isLoggedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code !== 'INVALID_CREDENTIALS';
}

export { ApiError, ConnectionError };
