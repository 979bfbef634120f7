import { createClient } from '@plataforma/sdk/client';
import { PAGE } from './api.ts';

/** Returns a client of the API that reports which share of a request's body has been sent. */
export function callWith(onSent: (share: number) => void) {
  return createClient({ ...PAGE, fetch: (...request) => send(onSent, ...request) });
}

/** Sends a request with XMLHttpRequest, because `fetch` reports no progress of an upload. */
function send(
  onSent: (share: number) => void,
  ...[url, { method = 'GET', headers, body = null } = {}]: Parameters<typeof fetch>
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  request.open(method, String(url));
  for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0);
  request.onload = () => resolve(answerOf(request));
  request.onerror = () => reject(new TypeError('no answer came'));
  request.send(body instanceof FormData ? body : String(body ?? ''));
  return promise;
}

function answerOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const name of ['retry-after', 'x-request-id']) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(request.responseText, { status: request.status, headers });
}
