import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Refusal } from '@plataforma/kernel';
import type { Request, Response } from 'express';
import type { CheckoutDocument } from '../checkout/document.ts';
import { languageOf } from '../checkout/language.ts';
import { imageAt } from '../checkout/logo.ts';
import type { WebDependencies } from '../dependencies.ts';
import { CHECKOUT_DEVICES } from './policy.ts';
import { FOR_GOOD } from './static-routes.ts';

const compress = promisify(gzip);
const RETRY_AFTER_SECONDS = '5';

interface Problem {
  req: Request;
  res: Response;
  status: number;
}

/**
 * Shows the buyer a page about a problem. The page is the same for an unavailable API and for an answer that
 * can't be read.
 */
export async function showProblem(
  dependencies: WebDependencies,
  { req, res, status }: Problem,
): Promise<void> {
  const isMissing = status === 404 || status === 400;
  res.status(isMissing ? 404 : 503);
  if (!isMissing) res.set('Retry-After', RETRY_AFTER_SECONDS);
  const kind = isMissing ? 'missing' : 'away';
  await sendPage(req, res, dependencies.checkout.documents.ofProblem(kind, languageOf(req)));
}

/** Sends a logo that browsers may cache forever, because its address contains a digest of its content. */
export function sendLogo({ req, res }: Omit<Problem, 'status'>, logo: string | null): void {
  const found = imageAt(req.params.digest, logo);
  if (!found) throw new Refusal('missing', 'NOT_FOUND', 'there is no such logo');
  res.set('Cache-Control', FOR_GOOD);
  res.type(found.type).send(found.image);
}

export async function sendPage(
  req: Request,
  res: Response,
  { html, policy }: CheckoutDocument,
): Promise<void> {
  res.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    'Permissions-Policy': CHECKOUT_DEVICES,
    Vary: 'Accept-Encoding, Accept-Language',
  });
  res.type('text/html');
  if (req.acceptsEncodings('gzip') !== 'gzip') return void res.send(html);
  res.set('Content-Encoding', 'gzip').send(await compress(html));
}
