import { api } from '@plataforma/contracts';
import { isUuid, Refusal } from '@plataforma/kernel';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import { languageOf } from '../checkout/language.ts';
import { withLogoAt } from '../checkout/logo.ts';
import type { WebDependencies } from '../dependencies.ts';
import { sendLogo, sendPage, showProblem } from './checkout-page.ts';
import { passHeaders } from './forwarded-headers.ts';
import { askAsBuyer } from './in-pool-slot.ts';
import { linkRoutes, sellerOfAnyRelease } from './link-routes.ts';
import { assetRoutes } from './static-routes.ts';
import { serveStream } from './stream.ts';

const { data } = api.getCheckout;
/** The previous release of `charges` omits some fields, so these fields have defaults. */
const { shape } = data;
const answer = z.looseObject({
  data: data.extend({
    ...sellerOfAnyRelease,
    logo: shape.logo.default(null),
    unexpectedPayments: shape.unexpectedPayments.default([]),
    installments: shape.installments.default(null),
    cardBrand: shape.cardBrand.default(null),
    cardLastDigits: shape.cardLastDigits.default(null),
  }),
});

/**
 * Serves the page of a charge, the state that the page's script reads, and the stream of the charge's
 * changes.
 */
export function checkoutRoutes(router: Router, dependencies: WebDependencies): void {
  const { checkout, sendFile } = dependencies;
  assetRoutes(router, '/pay', { assets: checkout.assets, sendFile });
  assetRoutes(router, '/pay', { assets: checkout.cardAssets, sendFile });
  linkRoutes(router, dependencies);
  router.get('/pay/:id', (req, res) => showCharge(dependencies, req, res));
  router.get('/pay/:id/state', (req, res) => readState(dependencies, req, res));
  router.get('/pay/:id/logo/:digest', async (req, res) => {
    const { body } = await ask(dependencies, req, res);
    sendLogo({ req, res }, answer.safeParse(body).data?.data.logo ?? null);
  });
  router.get('/pay/:id/stream', async (req, res) => {
    const { id } = req.params;
    const holder = `charge ${id}`;
    const findTopic = async () => {
      const { status } = await ask(dependencies, req, res);
      if (status === 200) return { topic: holder };
      throw new Refusal('missing', 'NOT_FOUND', 'there is no such charge');
    };
    await serveStream(dependencies, { req, res }, { kind: 'checkout', holder, findTopic });
  });
  router.get('/pay/{*path}', (req, res) => showProblem(dependencies, { req, res, status: 404 }));
}

async function ask(dependencies: WebDependencies, req: Request, res: Response) {
  const { id = '' } = req.params;
  if (typeof id !== 'string' || !isUuid(id)) return { status: 404, body: undefined, headers: {} };
  return askAsBuyer(dependencies, { req, res }, { method: 'GET', path: `/v1/charges/${id}/checkout` });
}

/**
 * Returns the answer about a charge, with the logo's address in place of the image. Returns undefined for any
 * other body.
 */
function chargeIn(body: unknown) {
  const parsed = answer.safeParse(body).data;
  return parsed && { ...parsed, data: withLogoAt(`/pay/${parsed.data.id}`, parsed.data) };
}

async function showCharge(dependencies: WebDependencies, req: Request, res: Response): Promise<void> {
  const read = await ask(dependencies, req, res).catch(() => ({ status: 503, body: undefined }));
  const charge = chargeIn(read.body)?.data;
  if (read.status !== 200 || !charge) return showProblem(dependencies, { req, res, status: read.status });
  await sendPage(req, res, dependencies.checkout.documents.ofCharge(charge, languageOf(req)));
}

async function readState(dependencies: WebDependencies, req: Request, res: Response): Promise<void> {
  const { status, body, headers } = await ask(dependencies, req, res);
  passHeaders(res, { 'retry-after': headers['retry-after'] });
  res.set('Cache-Control', 'no-store');
  if (body === undefined) throw new Refusal('missing', 'NOT_FOUND', 'there is no such charge');
  res.status(status).json(chargeIn(body) ?? body);
}
