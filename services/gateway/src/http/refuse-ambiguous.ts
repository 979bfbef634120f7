import { Refusal } from '@plataforma/kernel';
import type { RequestHandler } from 'express';

const MAX_HEADERS = 100;
/** An encoded or doubled slash, a backslash, a NUL, a segment of dots. */
const AMBIGUOUS_PATH = /%2f|%5c|%00|\\|\/\/|(^|\/)(\.|%2e){1,2}(\/|$)/i;

/** Refuses what two servers in a row could read in two ways, before any of it is forwarded. */
export const refuseAmbiguous: RequestHandler = (req, res, next) => {
  if (req.rawHeaders.length / 2 > MAX_HEADERS) {
    // The rest of what comes on this connection may be anything.
    res.setHeader('Connection', 'close');
    const error = { code: 'VALIDATION_ERROR', message: `headers: must be at most ${MAX_HEADERS}` };
    res.status(431).json({ success: false, error });
    return;
  }
  // Joined to one, they would be a key that nobody has sent.
  if ((req.headersDistinct['idempotency-key']?.length ?? 0) > 1)
    throw new Refusal('invalid', 'VALIDATION_ERROR', 'Idempotency-Key: must be sent once');
  const [path = ''] = req.originalUrl.split('?', 1);
  if (AMBIGUOUS_PATH.test(path)) throw new Refusal('invalid', 'VALIDATION_ERROR', 'path: is ambiguous');
  const isRead = req.method === 'GET' || req.method === 'HEAD';
  const hasBody =
    req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  if (isRead && hasBody) throw new Refusal('invalid', 'VALIDATION_ERROR', `body: ${req.method} takes none`);
  next();
};
