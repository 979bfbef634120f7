import type { IncomingMessage, ServerResponse } from 'node:http';
import { statusOfKind } from '@plataforma/contracts';
import { isTransientDatabaseError } from '@plataforma/data';
import { Declined, Enrolment, PasskeyRequired, Refusal } from '@plataforma/kernel';
import type { Log } from '@plataforma/observe';
import type { RequestHandler } from 'express';
import { setAnswerHeaders } from './answer-headers.ts';
import { situation } from './fail-points.ts';

const RETRY_AFTER_SECONDS = '2';

/**
 * The refusal of a request whose caller disconnected. It is created once, because each error records its
 * stack and thousands of callers may disconnect at once.
 */
export const BROKEN_OFF = new Refusal('invalid', 'VALIDATION_ERROR', 'body: ended before it was complete');

/** Writes the failure envelope. Adds `Retry-After` to 503 and 429. */
export function sendRefusal(res: ServerResponse, refusal: Refusal): void {
  const status = statusOfKind[refusal.kind];
  if (refusal.code === 'REQUEST_IN_PROGRESS') situation('request in progress refused');
  if ((status === 503 || status === 429) && !res.hasHeader('Retry-After')) {
    res.setHeader('Retry-After', RETRY_AFTER_SECONDS);
  }
  sendFailure(res, status, failureEnvelope(refusal));
}

interface Envelope {
  success: boolean;
  error: { code: string; message: string };
}

const errors = new WeakMap<ServerResponse, Envelope['error']>();

/** Stores the error code and message of an answer for the log of requests. */
export function recordError(res: ServerResponse, { code, message }: Envelope['error']): void {
  errors.set(res, { code, message });
}

export function errorOf(res: ServerResponse): Envelope['error'] | undefined {
  return errors.get(res);
}

function sendFailure(res: ServerResponse, status: number, envelope: Envelope): void {
  recordError(res, envelope.error);
  const text = JSON.stringify(envelope);
  setAnswerHeaders(res);
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.statusCode = status;
  res.end(text);
}

export function failureEnvelope(refusal: Refusal) {
  const { code, message } = refusal;
  const more =
    (refusal instanceof Declined && { reason: refusal.reason }) ||
    (refusal instanceof Enrolment && { otpauth: refusal.otpauth }) ||
    (refusal instanceof PasskeyRequired && { passkey: refusal.passkey });
  return { success: false, error: { code, message, ...more } };
}

export const answerNotFound: RequestHandler = (_req, res) => {
  sendRefusal(res, new Refusal('missing', 'NOT_FOUND', 'there is nothing at this path'));
};

/**
 * Returns an error handler. A refusal gets its status, an unavailable database gets 503, and any other error
 * gets 500 without details.
 */
export function answerError(log: Log): (error: unknown, req: IncomingMessage, res: ServerResponse) => void {
  return (error, req, res) => {
    if (res.headersSent) {
      // A caller that already has the answer may stop sending its body. That is no error of this service.
      if (!hasBrokenOff(error)) log.error({ err: error }, 'request failed after its response had begun');
      req.socket.destroy();
      return;
    }
    const refusal = error instanceof Refusal ? error : refusalOfFramework(error);
    if (refusal) {
      // A caller that disconnected gets no answer. The code checks the socket, because the socket may be
      // destroyed while the response is not closed yet.
      if (!req.socket.destroyed) sendRefusal(res, refusal);
    } else if (isTransientDatabaseError(error)) {
      log.error({ err: error }, 'database unavailable');
      sendRefusal(res, new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'try again shortly'));
    } else {
      log.error({ err: error }, 'unexpected error');
      const message = 'something went wrong on our side; quote the X-Request-Id';
      sendFailure(res, 500, { success: false, error: { code: 'INTERNAL_ERROR', message } });
    }
  };
}

function refusalOfFramework(error: unknown): Refusal | undefined {
  switch (typeOf(error)) {
    case 'entity.parse.failed':
      return new Refusal('invalid', 'VALIDATION_ERROR', 'body: is not valid JSON');
    case 'entity.too.large':
      return new Refusal('too_large', 'PAYLOAD_TOO_LARGE', `body: must be at most ${limitOf(error)}`);
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new Refusal('media_type', 'UNSUPPORTED_MEDIA_TYPE', 'body: must be plain UTF-8 JSON');
    case 'request.aborted':
    case 'request.size.invalid':
      return BROKEN_OFF;
    default:
      break;
  }
  if (error instanceof URIError) return new Refusal('invalid', 'VALIDATION_ERROR', 'path: is malformed');
  // For example, express throws an error with status 400 for a body that claims to be gzip but is not.
  return isBadRequest(error) ? new Refusal('invalid', 'VALIDATION_ERROR', 'body: can’t be read') : undefined;
}

function hasBrokenOff(error: unknown): boolean {
  return error instanceof Refusal || typeOf(error) === 'request.aborted';
}

function typeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
}

function limitOf(error: unknown): string {
  const limit = typeof error === 'object' && error !== null && 'limit' in error ? Number(error.limit) : 0;
  return `${limit / 1024} KiB`;
}

function isBadRequest(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === 400;
}

/**
 * Returns the refusal of a request whose `type` a different service handles. A gateway of the previous
 * release may still send such requests to this service.
 */
export function answeredElsewhere(): Refusal {
  return new Refusal(
    'unavailable',
    'SERVICE_UNAVAILABLE',
    'type: this replica does not handle it yet; try again shortly',
  );
}
