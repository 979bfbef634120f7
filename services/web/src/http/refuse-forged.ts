import { hasBody, headerOf } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { Request, RequestHandler, Response } from 'express';

const READS = new Set(['GET', 'HEAD']);

interface Forged {
  /** Of our own pages. */
  origins: readonly string[];
  /** Whether a form without script may come here, which can't set a header. */
  takesForms: (req: Request) => boolean;
}

/**
 * A page of another site can have a browser send what it likes, with the cookies of its user: before anything of a
 * change is read, the browser must say that one of our own pages asks for it, and the page must have set a header.
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
