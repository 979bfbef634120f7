import { hasBody, headerOf } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { Request, RequestHandler, Response } from 'express';

const READS = new Set(['GET', 'HEAD']);

interface Forged {
  /** The origins of this service's pages. */
  origins: readonly string[];
  /** Returns whether the path accepts HTML forms, which work without script and can't set a header. */
  takesForms: (req: Request) => boolean;
}

/**
 * Refuses a change before its body is read, unless a page of this service sent it with a header that only a
 * script can set. Otherwise a page of another site could make the user's browser send a form with the user's
 * cookies.
 */
export function refuseForged({ origins, takesForms }: Forged): RequestHandler {
  return (req, res, next) => {
    if (READS.has(req.method)) return next();
    requireOwnPage(res, req, isFromOurPage(req, origins));
    const isMarked = headerOf(req, 'x-requested-with') === 'plataforma';
    requireOwnPage(res, req, isMarked || takesForms(req));
    next();
  };
}

function isFromOurPage(req: Request, origins: readonly string[]): boolean {
  const site = headerOf(req, 'sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  return origins.includes(headerOf(req, 'origin') ?? '');
}

function requireOwnPage(res: Response, req: Request, isOurs: boolean): void {
  if (isOurs) return;
  if (hasBody(req)) res.set('Connection', 'close');
  throw new Refusal('forbidden', 'FORBIDDEN', 'the request does not come from a page of this service');
}
