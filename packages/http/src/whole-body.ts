import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import { type BodyKind, hasBody, requireKind } from './body-type.ts';
import { BROKEN_OFF, sendRefusal } from './http-errors.ts';
import { createCollector } from './pieces.ts';
import { whenClosed } from './when-closed.ts';

const BODY_LIMIT_BYTES = 100 * 1024;
/**
 * The limit of bodies of anonymous callers. They send log-ins and buyers' forms, in which a password is the
 * longest text.
 */
export const STRANGERS_LIMIT_BYTES = 10 * 1024;

export function bodyLimitOf({ access, fromProvider, maxBodyBytes }: BodyLimits): number {
  const isOfStrangers = access.kind === 'public' && !fromProvider;
  return maxBodyBytes ?? (isOfStrangers ? STRANGERS_LIMIT_BYTES : BODY_LIMIT_BYTES);
}

type BodyLimits = Pick<Endpoint, 'access' | 'fromProvider' | 'maxBodyBytes'>;

/**
 * Limits the time in which the whole body must arrive. Answers 408 to a slower caller that has no answer yet.
 * Closes the connection, because the remaining body is not read.
 */
export function limitBodyTime(req: IncomingMessage, res: ServerResponse, timeoutMs: number): void {
  if (!hasBody(req)) return;
  const late = setTimeout(() => {
    // The body may have arrived completely but stay unread while the caller is authenticated.
    if (req.complete) return;
    if (res.headersSent) {
      req.socket.destroy();
      return;
    }
    res.setHeader('Connection', 'close');
    sendRefusal(res, new Refusal('too_slow', 'REQUEST_TIMEOUT', 'body: did not arrive in time'));
  }, timeoutMs);
  const end = () => clearTimeout(late);
  req.once('end', end);
  req.once('close', end);
  // When the response closes, the time limit ends if the whole body has arrived. Otherwise the limit
  // continues, because the caller must still send the rest of the body in time.
  whenClosed(res, () => void ((req.complete || req.socket.destroyed) && end()));
}

/**
 * Reads the whole body before the request is forwarded, so that a slow caller occupies no connection to a
 * service. The service then gets one length, which this process sets. Refuses a wrong type or a too large
 * `Content-Length` before it reads the body.
 */
export async function readWhole(
  req: IncomingMessage,
  res: ServerResponse,
  endpoint: BodyKind & BodyLimits,
): Promise<Buffer | null> {
  if (!hasBody(req)) return null;
  requireKind(req, endpoint);
  const limit = bodyLimitOf(endpoint);
  if (Number(req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  return readUpTo(req, res, limit);
}

function readUpTo(req: IncomingMessage, res: ServerResponse, limit: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let isWhole = false;
  const breakOff = () => {
    if (!isWhole) reject(BROKEN_OFF);
  };
  // The caller disconnected during authentication, so the request emits no further event.
  if (req.destroyed) breakOff();
  const body = createCollector();
  req.on('data', (chunk: Buffer) => {
    if (body.size + chunk.length <= limit) body.add(chunk);
    // The remaining body is still read, because the connection could otherwise be reset before the caller has
    // read the answer. The limits of the body's time and size (`joinPieces`) still apply.
    else reject(tooLarge(limit));
  });
  req.once('end', () => {
    isWhole = true;
    resolve(body.whole());
  });
  req.once('error', breakOff);
  req.once('close', breakOff);
  // If the response ends before the request's body is complete, the request emits no further event. Without
  // this listener, the promise would never settle.
  whenClosed(res, breakOff);
  return promise;
}

function tooLarge(limit: number): Refusal {
  return new Refusal('too_large', 'PAYLOAD_TOO_LARGE', `body: must be at most ${limit / 1024} KiB`);
}
