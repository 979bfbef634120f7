import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { refuseManyValues, turnOfBody } from './body-cost.ts';
import { hasBody, requireJson, requireKind } from './body-type.ts';
import { refuseCardNumbers } from './card-number.ts';
import { readForm, refuseCardsInNames } from './form.ts';
import { BROKEN_OFF } from './http-errors.ts';
import { bodyLimitOf } from './whole-body.ts';

const BODY_LIMIT_BYTES = 100 * 1024;

/**
 * Creates a handler that reads a JSON body of at most `limit` bytes, 100 KiB by default, and refuses other
 * types. `check` runs before the body is parsed.
 */
export function readBody(
  limit = BODY_LIMIT_BYTES,
  check: ((body: Buffer, req: IncomingMessage) => void) | null = refuseManyValues,
): RequestHandler {
  const verify = (req: IncomingMessage, _res: ServerResponse, body: Buffer) => {
    requireUtf8(body);
    check?.(body, req);
  };
  const parseJson = express.json({ limit, type: 'application/json', verify });
  return (req, res, next) => {
    if (hasBody(req)) requireReadable(req);
    parseJson(req, res, next);
  };
}

const orderedBodies = new WeakMap<IncomingMessage, Buffer>();

/** Returns the exact bytes of the body of an order, which is empty if the request has no body. */
export function orderedBodyOf(req: IncomingMessage): string {
  return orderedBodies.get(req)?.toString() ?? '';
}

/**
 * Creates a reader of a JSON body, or of a form if the endpoint takes a file. Call the reader after
 * authentication, so that it never reads the body of an unknown caller. The reader refuses a card number,
 * unless the body is a provider's.
 */
export function bodyReader(endpoint: Endpoint): (req: Request, res: Response) => Promise<void> {
  const check = (body: Buffer, req: IncomingMessage) => {
    if (endpoint.signedOrder) orderedBodies.set(req, body);
    refuseManyValues(body, req);
  };
  const read = readBody(bodyLimitOf(endpoint), endpoint.fromProvider ? null : check);
  return async (req, res) => {
    if (endpoint.takesFile) {
      req.body = await readForm(req, res, endpoint);
      refuseCardsInNames(req.body);
    } else {
      if (hasBody(req)) requireKind(req, endpoint);
      await new Promise<void>((resolve, reject) => {
        read(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
      });
    }
    if (endpoint.fromProvider) return;
    if (hasBody(req)) await turnOfBody(req);
    refuseCardNumbers(req.body);
  };
}

function requireReadable(req: Request): void {
  requireJson(req);
  // If the caller has disconnected, the parser reports that the request has no body. The handler would then
  // run without the body.
  if (!req.readableEnded && !req.socket.readable) {
    throw BROKEN_OFF;
  }
}

/**
 * Refuses invalid UTF-8, because the parser would replace it silently and two different bodies could become
 * equal.
 */
function requireUtf8(body: Buffer): void {
  if (!isUtf8(body)) throw new Refusal('invalid', 'VALIDATION_ERROR', 'body: must be UTF-8');
}
