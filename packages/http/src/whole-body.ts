import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import { type BodyKind, hasBody, requireKind } from './body-type.ts';
import { BROKEN_OFF, sendRefusal } from './http-errors.ts';
import { createCollector } from './pieces.ts';
import { whenClosed } from './when-closed.ts';

const BODY_LIMIT_BYTES = 100 * 1024;
/** Enough for anonymous callers, which send log-ins and buyers' forms; their longest text is a password. */
export const STRANGERS_LIMIT_BYTES = 10 * 1024;

export function bodyLimitOf({ access, fromProvider, maxBodyBytes }: BodyLimits): number {
  const isOfStrangers = access.kind === 'public' && !fromProvider;
  return maxBodyBytes ?? (isOfStrangers ? STRANGERS_LIMIT_BYTES : BODY_LIMIT_BYTES);
}

type BodyLimits = Pick<Endpoint, 'access' | 'fromProvider' | 'maxBodyBytes'>;

/**
 * Limits the time in which a whole body must arrive. A slower caller gets 408, unless it was answered
 * already, and its connection closes because the remaining body is not read.
 */
export function limitBodyTime(req: IncomingMessage, res: ServerResponse, timeoutMs: number): void {
  if (!hasBody(req)) return;
  const late = setTimeout(() => {
    // The whole body may be here, unread while the caller is authenticated.
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
  // The answer ends the wait for a whole body that was not read; an incomplete body is still awaited.
  whenClosed(res, () => void ((req.complete || req.socket.destroyed) && end()));
}

/**
 * Reads the whole body before anything is forwarded, so that a slow caller occupies no connection to a
 * service. The service then sees one length, which this process sets. Refuses a wrong kind or an announced
 * length that is too long, without reading the body.
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
  // The caller disconnected during authentication, and no further event comes.
  if (req.destroyed) breakOff();
  const body = createCollector();
  req.on('data', (chunk: Buffer) => {
    if (body.size + chunk.length <= limit) body.add(chunk);
    // The remaining body is still read, within the time of a body, so that the caller can read the answer.
    else reject(tooLarge(limit));
  });
  req.once('end', () => {
    isWhole = true;
    resolve(body.whole());
  });
  req.once('error', breakOff);
  req.once('close', breakOff);
  // A request that was answered before its body was whole emits nothing more.
  whenClosed(res, breakOff);
  return promise;
}

function tooLarge(limit: number): Refusal {
  return new Refusal('too_large', 'PAYLOAD_TOO_LARGE', `body: must be at most ${limit / 1024} KiB`);
}
