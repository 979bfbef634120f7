import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { api } from '@plataforma/contracts';
import { isUuid, Refusal } from '@plataforma/kernel';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import type { CheckoutDocument } from '../checkout/document.ts';
import { languageOf } from '../checkout/language.ts';
import type { WebParts } from '../parts.ts';
import { callerHeaders, passHeaders } from './forwarded-headers.ts';
import { CHECKOUT_DEVICES } from './policy.ts';
import { assetRoutes } from './static-routes.ts';
import { openStream } from './stream.ts';

const answer = z.object({ data: api.getCheckout.data });
const compress = promisify(gzip);
const RETRY_AFTER_SECONDS = '5';

/** What buyers see: the page of a charge, what its script reads again, and the stream that says when. */
export function checkoutRoutes(router: Router, parts: WebParts): void {
  assetRoutes(router, '/pay', parts.checkout.assets);
  router.get('/pay/:id', (req, res) => showCharge(parts, req, res));
  router.get('/pay/:id/state', (req, res) => readState(parts, req, res));
  router.get('/pay/:id/stream', async (req, res) => {
    const { id } = req.params;
    const { status } = await ask(parts, req, res);
    if (status !== 200) throw new Refusal('missing', 'NOT_FOUND', 'there is no such charge');
    openStream(parts, res, { topic: `charge ${id}`, slots: parts.live.checkoutSlots });
  });
  router.get('/pay/{*path}', (req, res) => showProblem(parts, { req, res, status: 404 }));
}

async function ask({ gateway, addressOf }: WebParts, req: Request, res: Response) {
  const { id = '' } = req.params;
  if (typeof id !== 'string' || !isUuid(id)) return { status: 404, body: undefined, headers: {} };
  const headers = callerHeaders(addressOf, req, res);
  return gateway.ask({ method: 'GET', path: `/v1/charges/${id}/checkout`, headers });
}

async function showCharge(parts: WebParts, req: Request, res: Response): Promise<void> {
  const read = await ask(parts, req, res).catch(() => ({ status: 503, body: undefined }));
  const charge = answer.safeParse(read.body).data?.data;
  if (read.status !== 200 || !charge) return showProblem(parts, { req, res, status: read.status });
  await sendPage(req, res, parts.checkout.documents.ofCharge(charge, languageOf(req)));
}

interface Problem {
  req: Request;
  res: Response;
  status: number;
}

/** The API is away, or its answer can't be read: to a buyer both are the same. */
async function showProblem(parts: WebParts, { req, res, status }: Problem): Promise<void> {
  const isMissing = status === 404 || status === 400;
  res.status(isMissing ? 404 : 503);
  if (!isMissing) res.set('Retry-After', RETRY_AFTER_SECONDS);
  const kind = isMissing ? 'missing' : 'away';
  await sendPage(req, res, parts.checkout.documents.ofProblem(kind, languageOf(req)));
}

async function readState(parts: WebParts, req: Request, res: Response): Promise<void> {
  const { status, body, headers } = await ask(parts, req, res);
  passHeaders(res, { 'retry-after': headers['retry-after'] });
  res.set('Cache-Control', 'no-store');
  if (body === undefined) throw new Refusal('missing', 'NOT_FOUND', 'there is no such charge');
  res.status(status).json(body);
}

async function sendPage(req: Request, res: Response, { html, policy }: CheckoutDocument): Promise<void> {
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
