import { randomUUID } from 'node:crypto';
import { api } from '@plataforma/contracts';
import { centsIn } from '@plataforma/contracts/amount';
import { isUuid, Refusal } from '@plataforma/kernel';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { z } from 'zod';
import { languageOf } from '../checkout/language.ts';
import { withLogoAt } from '../checkout/logo.ts';
import { isPreview } from '../checkout/preview.ts';
import type { WebDependencies } from '../dependencies.ts';
import { refusalIn } from '../gateway.ts';
import { sendLogo, sendPage, showProblem } from './checkout-page.ts';
import { passHeaders } from './forwarded-headers.ts';
import { askAsBuyer } from './in-pool-slot.ts';
import { serveStream } from './stream.ts';
import { begunVisit, buyerTokenAt, keepAtLink } from './visit-cookie.ts';

const BODY_LIMIT = '4kb';
const FORM = 'application/x-www-form-urlencoded';
const FORMS = /^\/pay\/(?:l\/[\w-]+|c\/[\w-]+\/(?:pix|card-form))$/;

const linkShape = api.getLinkPage.data.shape;
/** The legal details of a merchant, which the previous release of `charges` omits. */
export const sellerOfAnyRelease = {
  merchantCnpj: linkShape.merchantCnpj.default(null),
  merchantPhone: linkShape.merchantPhone.default(null),
};
const linkAnswer = z.object({
  data: api.getLinkPage.data.extend({
    ...sellerOfAnyRelease,
    checkoutId: linkShape.checkoutId.default(null),
  }),
});
/** The previous release of `charges` omits some fields of a visit, so these fields have defaults. */
const { shape } = api.getCheckoutVisit.data;
const visitAnswer = z
  .looseObject({
    data: api.getCheckoutVisit.data.extend({
      ...sellerOfAnyRelease,
      declineReason: shape.declineReason.default(null),
      unexpectedPayments: shape.unexpectedPayments.default([]),
      linkStatus: shape.linkStatus.default('OPEN'),
    }),
  })
  .transform(({ data, ...rest }) => ({ ...rest, data: withLogoAt(`/pay/l/${data.slug}`, data) }));
const written = z.object({
  visit: z.uuid().catch(() => randomUUID()),
  payerName: z.string().default(''),
  payerDocument: z.string().default(''),
  amount: z.string().default(''),
  method: z.enum(['PIX', 'CARD']).default('PIX'),
});

type Written = z.infer<typeof written>;
type Way = 'pix' | 'card-form';

/** Returns whether the request is a payment link's HTML form, which a browser sends without script. */
export function isLinkForm(req: Request): boolean {
  return req.method === 'POST' && FORMS.test(req.path) && req.is(FORM) === FORM;
}

/**
 * Serves payment links and their visits. Every step except the card payment is an HTML form that works
 * without script.
 */
export function linkRoutes(router: Router, dependencies: WebDependencies): void {
  const form = express.urlencoded({ extended: false, limit: BODY_LIMIT });
  const json = express.json({ limit: BODY_LIMIT });
  const handled =
    (take: (exchange: Exchange) => Promise<void>): RequestHandler =>
    (req, res) =>
      take({ dependencies, req, res });
  router.get('/pay/l/:slug', handled(showLink));
  router.post('/pay/l/:slug', form, handled(begin));
  router.get('/pay/l/:slug/logo/:digest', handled(showLogo));
  router.get('/pay/c/:id', handled(showVisit));
  router.get('/pay/c/:id/card', handled(showCard));
  for (const way of ['pix', 'card-form'] as const) {
    const chosen = (exchange: Exchange) => choose(exchange, { id: idOf(exchange.req), way });
    router.post(`/pay/c/:id/${way}`, form, handled(chosen));
  }
  const payByCard = (exchange: Exchange) =>
    pass(exchange, { method: 'POST', path: '/card', body: exchange.req.body });
  const readState = (exchange: Exchange) => pass(exchange, { method: 'GET', path: '' });
  router.post('/pay/c/:id/card', json, handled(payByCard));
  router.get('/pay/c/:id/state', handled(readState));
  router.get('/pay/c/:id/stream', handled(follow));
}

interface Exchange {
  dependencies: WebDependencies;
  req: Request;
  res: Response;
}

async function follow(exchange: Exchange): Promise<void> {
  const id = idOf(exchange.req);
  const holder = `checkout ${id}`;
  const findTopic = async () => {
    const { status } = await ask(exchange, { method: 'GET', path: `/v1/checkouts/${id}` });
    if (status === 200) return { topic: holder };
    throw new Refusal('missing', 'NOT_FOUND', 'there is no such checkout');
  };
  await serveStream(exchange.dependencies, exchange, { kind: 'checkout', holder, findTopic });
}

interface BuyerRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
}

async function ask({ dependencies, req, res }: Exchange, { body, ...request }: BuyerRequest) {
  const sent = body === undefined ? request : { ...request, body: JSON.stringify(body) };
  return askAsBuyer(dependencies, { req, res }, sent);
}

const problem = ({ dependencies, req, res }: Exchange, status: number) =>
  showProblem(dependencies, { req, res, status });

/** Returns the visit's id in the path. Throws NOT_FOUND when the id is not a UUID. */
function idOf({ params: { id = '' } }: Request): string {
  if (typeof id === 'string' && isUuid(id)) return id;
  throw new Refusal('missing', 'NOT_FOUND', 'there is no such checkout');
}

/**
 * The answer that stands for an unreachable API. The buyer sees the same page as for an answer that can't be
 * read.
 */
const away = () => ({ status: 503, body: undefined });

function slugOf({ params: { slug } }: Request): string | null {
  return typeof slug === 'string' && /^[\w-]{16}$/.test(slug) ? slug : null;
}

async function readLink(exchange: Exchange, isNoVisit = false) {
  const slug = slugOf(exchange.req);
  if (slug === null) return { status: 404, link: undefined };
  // True when the buyer comes from a page of this service, for example after a refused form. The API then
  // does not count another view of the link.
  const isOurs = exchange.req.get('sec-fetch-site') === 'same-origin';
  const query = new URLSearchParams({
    ...((isNoVisit || isOurs || isPreview(exchange.req)) && { again: 'true' }),
    ...buyerTokenAt(exchange.req, slug, exchange.dependencies.isSecure),
  });
  const read = (sent: string) =>
    ask(exchange, { method: 'GET', path: `/v1/payment-links/${slug}/page${sent}` }).catch(away);
  const first = await read(query.size > 0 ? `?${query}` : '');
  // A replica of `charges` from the previous release does not know the parameters in `query` and answers 400.
  // The page is then read without parameters.
  const { status, body } = first.status === 400 && query.size > 0 ? await read('') : first;
  return { status, link: status === 200 ? linkAnswer.safeParse(body).data?.data : undefined };
}

async function showLogo(exchange: Exchange): Promise<void> {
  const { link } = await readLink(exchange, true);
  sendLogo(exchange, link?.logo ?? null);
}

const unwritten = () => written.parse({});

/** Shows the link's form. After a refused submission the form contains the buyer's input and the error. */
async function showLink(
  exchange: Exchange,
  sent = unwritten(),
  { status = 200, refused = '', field = '' }: { status?: number; refused?: string; field?: string } = {},
): Promise<void> {
  const { dependencies, req, res } = exchange;
  const { t } = req.query;
  const slug = slugOf(req);
  if (slug !== null && typeof t === 'string' && isUuid(t)) {
    keepAtLink(exchange, { name: 'buyers', slug, id: t }, dependencies.isSecure);
    return res.redirect(303, `/pay/l/${slug}?lang=${languageOf(req)}`);
  }
  const read = await readLink(exchange);
  if (!read.link) return problem(exchange, read.status);
  const link = withLogoAt(`/pay/l/${read.link.slug}`, read.link);
  const begun =
    link.checkoutId ?? (link.isJoinable ? begunVisit(req, link.slug, dependencies.isSecure) : null);
  const state = { link, language: languageOf(req), begun, written: sent, refused, field };
  res.status(status);
  await sendPage(req, res, dependencies.checkout.documents.ofLink(state));
}

function visitOf({ payerName, payerDocument }: Written, amount: number | undefined) {
  const payer = { ...(payerName && { payerName }), ...(payerDocument && { payerDocument }) };
  return { ...payer, ...(amount && { amount }) };
}

const codeIn = (body: unknown) => refusalIn(body).code || 'UNKNOWN';

/** Creates a visit from the buyer's form, and immediately opens the visit's Pix charge or card form. */
async function begin(exchange: Exchange): Promise<void> {
  const { req } = exchange;
  const sent = written.safeParse(req.body).data ?? unwritten();
  const slug = slugOf(req);
  if (slug === null) return problem(exchange, 404);
  const { method } = sent;
  const amount = sent.amount === '' ? undefined : centsIn(sent.amount);
  if (amount === null) {
    return showLink(exchange, sent, { status: 400, refused: 'VALIDATION_ERROR', field: 'amount' });
  }
  const checkoutRequest = { method: 'POST', path: `/v1/payment-links/${slug}/checkouts` } as const;
  const { isSecure } = exchange.dependencies;
  const body = { ...visitOf(sent, amount), ...buyerTokenAt(req, slug, isSecure) };
  const askFor = (id: string) => ask(exchange, { ...checkoutRequest, body: { ...body, id } }).catch(away);
  const first = await askFor(sent.visit);
  // The visit's id was already used with other input, because the buyer corrected the form. A new id creates
  // another visit.
  const answer = codeIn(first.body) === 'IDEMPOTENCY_CONFLICT' ? await askFor(randomUUID()) : first;
  const visit = visitAnswer.safeParse(answer.body).data?.data;
  if (visit) {
    keepAtLink(exchange, { name: 'visits', slug, id: visit.id }, isSecure);
    return choose(exchange, { id: visit.id, way: method === 'CARD' ? 'card-form' : 'pix' });
  }
  if (answer.status === 404) return problem(exchange, 404);
  const [, field = ''] = /^(payerName|payerDocument|amount): /.exec(refusalIn(answer.body).message) ?? [];
  await showLink(exchange, sent, { status: answer.status, refused: codeIn(answer.body), field });
}

/** Opens the Pix charge or the card form, then redirects, so that a reload does not send the form again. */
async function choose(exchange: Exchange, { id, way }: { id: string; way: Way }): Promise<void> {
  const { req, res } = exchange;
  const paymentRequest = { method: 'POST', path: `/v1/checkouts/${id}/${way}` } as const;
  const answer = await ask(exchange, paymentRequest).catch(away);
  if (answer.status === 404) return problem(exchange, 404);
  const visit = visitAnswer.safeParse(answer.body).data?.data;
  const refused = codeIn(answer.body);
  const query = new URLSearchParams({ lang: languageOf(req), ...(visit ? {} : { refused }) });
  const page = visit && way === 'card-form' ? '/card' : '';
  res.redirect(303, `/pay/c/${visit?.id ?? id}${page}?${query}`);
}

async function readVisit(exchange: Exchange) {
  const { req } = exchange;
  const { id = '' } = req.params;
  if (typeof id !== 'string' || !isUuid(id)) return { status: 404, visit: undefined };
  const { status, body } = await ask(exchange, { method: 'GET', path: `/v1/checkouts/${id}` }).catch(away);
  return { status, visit: status === 200 ? visitAnswer.safeParse(body).data?.data : undefined };
}

async function showVisit(exchange: Exchange): Promise<void> {
  const { dependencies, req, res } = exchange;
  const { status, visit } = await readVisit(exchange);
  if (!visit) return problem(exchange, status);
  const refused = typeof req.query.refused === 'string' ? req.query.refused : '';
  const state = { visit, language: languageOf(req), refused };
  await sendPage(req, res, dependencies.checkout.documents.ofVisit(state));
}

/**
 * Shows the card form only while a card can pay. Otherwise redirects to the visit's page, for example when
 * the form has expired or the link is used up.
 */
async function showCard(exchange: Exchange): Promise<void> {
  const { dependencies, req, res } = exchange;
  const { status, visit } = await readVisit(exchange);
  if (!visit) return problem(exchange, status);
  const language = languageOf(req);
  const mayPay = visit.cardFormUntil !== null && visit.cardTriesLeft > 0 && visit.state !== 'PROCESSING';
  if (!mayPay || visit.card === null || visit.linkStatus === 'USED_UP') {
    return res.redirect(303, `/pay/c/${visit.id}?lang=${language}`);
  }
  const { tokenizeUrl } = visit.card;
  await sendPage(
    req,
    res,
    dependencies.checkout.documents.ofCard({ visit, language, refused: '' }, tokenizeUrl),
  );
}

/** Forwards a request of the page's script to the API and returns the API's answer. */
async function pass(exchange: Exchange, { path, ...options }: BuyerRequest): Promise<void> {
  const { res } = exchange;
  const request = { ...options, path: `/v1/checkouts/${idOf(exchange.req)}${path}` };
  const { status, body, headers } = await ask(exchange, request);
  passHeaders(res, { 'retry-after': headers['retry-after'] });
  res.set('Cache-Control', 'no-store');
  if (body === undefined) throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'try again shortly');
  res.status(status).json(visitAnswer.safeParse(body).data ?? body);
}
