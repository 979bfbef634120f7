import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import { type BodyKind, hasBody, requireKind } from './body-type.ts';
import { BROKEN_OFF, sendRefusal } from './http-errors.ts';
import { createCollector } from './pieces.ts';
import { whenClosed } from './when-closed.ts';

const BODY_LIMIT_BYTES = 100 * 1024;
/** Strangers send log-ins and buyers' forms, whose longest text is a password. */
export const STRANGERS_LIMIT_BYTES = 10 * 1024;

/** Returns how many bytes the body of an endpoint may have. */
export function bodyLimitOf({ access, fromProvider, maxBodyBytes }: BodyLimits): number {
  const isOfStrangers = access.kind === 'public' && !fromProvider;
  return maxBodyBytes ?? (isOfStrangers ? STRANGERS_LIMIT_BYTES : BODY_LIMIT_BYTES);
}

type BodyLimits = Pick<Endpoint, 'access' | 'fromProvider' | 'maxBodyBytes'>;

/**
 * Gives a body so long to arrive whole. Who is slower hears 408, or has been answered already, and is hung up on:
 * what is left of the body can’t be waited for.
 */
export function limitBodyTime(req: IncomingMessage, res: ServerResponse, timeoutMs: number): void {
  if (!hasBody(req)) return;
  const late = setTimeout(() => {
    // It may be here, and wait for who calls to be looked up.
    if (req.complete) return;
    if (res.headersSent) {
      req.socket.destroy();
      return;
    }
    res.setHeader('Connection', 'close');
    sendRefusal(res, new Refusal('too_slow', 'REQUEST_TIMEOUT', 'body: did not arrive whole in time'));
  }, timeoutMs);
  const end = () => clearTimeout(late);
  req.once('end', end);
  req.once('close', end);
  // A body that nobody has read ends with its answer; one that is not whole is still waited for.
  whenClosed(res, () => void ((req.complete || req.socket.destroyed) && end()));
}

/**
 * Reads the whole body before anything is forwarded, so that a slow caller costs no service a connection, and a
 * service sees one length: ours. What is not of the endpoint's kind, or too long by its own account, is not waited for.
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
  // Gone while it was looked up who calls: nothing more will be heard of it.
  if (req.destroyed) breakOff();
  const body = createCollector();
  req.on('data', (chunk: Buffer) => {
    if (body.size + chunk.length <= limit) body.add(chunk);
    // The rest is read, for as long as a body may take, so that the caller gets to read the answer.
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
