import type { ServerResponse } from 'node:http';
import { recordError } from '@plataforma/http';
import { isUuid } from '@plataforma/kernel';

const made = new WeakMap<ServerResponse, string>();

/**
 * The number of bytes at the beginning of an answer that are searched for an id or an error. Services write
 * both there, so the gateway need not parse the body.
 */
const HEAD_BYTES = 1_000;
const MADE = /^\{"success":true,"data":\{"id":"([^"]{36})"/;
const REFUSED = /^\{"success":false,"error":\{"code":"([A-Z_]+)","message":("(?:[^"\\]|\\.)*")?/;

/** Stores the id of the object that a POST created, or the error of the answer. */
export function recordAnswer(res: ServerResponse, body: Buffer): void {
  const isRefusal = res.statusCode >= 400;
  if (!isRefusal && res.req.method !== 'POST') return;
  const head = body.toString('utf8', 0, HEAD_BYTES);
  const [, found, message] = (isRefusal ? REFUSED : MADE).exec(head) ?? [];
  if (!found) return;
  if (isRefusal) recordError(res, { code: found, message: message ? JSON.parse(message) : '' });
  else if (isUuid(found)) made.set(res, found);
}

/** Returns the id of the object that the request created, or undefined if it created none. */
export function madeBy(res: ServerResponse): string | undefined {
  return made.get(res);
}
