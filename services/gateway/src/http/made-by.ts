import type { ServerResponse } from 'node:http';
import { recordErrorCode } from '@plataforma/http';
import { isUuid } from '@plataforma/kernel';

const made = new WeakMap<ServerResponse, string>();

/** As services write their answers: what is known of one without reading all of it. */
const HEAD_BYTES = 200;
const MADE = /^\{"success":true,"data":\{"id":"([^"]{36})"/;
const REFUSED = /^\{"success":false,"error":\{"code":"([A-Z_]+)"/;

/** Remembers which object a service’s answer is about, or the code it refuses with. */
export function recordAnswer(res: ServerResponse, body: Buffer): void {
  const isRefusal = res.statusCode >= 400;
  if (!isRefusal && res.req.method !== 'POST') return;
  const head = body.toString('latin1', 0, HEAD_BYTES);
  const [, found] = (isRefusal ? REFUSED : MADE).exec(head) ?? [];
  if (!found) return;
  if (isRefusal) recordErrorCode(res, found);
  else if (isUuid(found)) made.set(res, found);
}

/** The object that a request made, where the answer said so. */
export function madeBy(res: ServerResponse): string | undefined {
  return made.get(res);
}
