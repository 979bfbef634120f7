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

const linkAnswer = z.object({
  data: api.getLinkPage.data.extend({ checkoutId: api.getLinkPage.data.shape.checkoutId.default(null) }),
});
/** Charges of the release before send no declines and no unexpected payments. */
const { shape } = api.getCheckoutVisit.data;
const visitAnswer = z
  .looseObject({
    data: api.getCheckoutVisit.data.extend({
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

/** Whether it is a plain form of a payment link, which works without script. */
export function isLinkForm(req: Request): boolean {
  return req.method === 'POST' && FORMS.test(req.path) && req.is(FORM) === FORM;
}

/** Payment links and the visits that buyers make to them; every step is a plain form, but for the card's. */
export function linkRoutes(router: Router, dependencies: WebDependencies): void {
  const form = express.urlencoded({ extended: false, limit: BODY_LIMIT });
  const json = express.json({ limit: BODY_LIMIT });
  const turning =
    (take: (turn: Turn) => Promise<void>): RequestHandler =>
    (req, res) =>
      take({ dependencies, req, res });
  router.get('/pay/l/:slug', turning(showLink));
  router.post('/pay/l/:slug', form, turning(begin));
  router.get('/pay/l/:slug/logo/:digest', turning(showLogo));
  router.get('/pay/c/:id', turning(showVisit));
  router.get('/pay/c/:id/card', turning(showCard));
  for (const way of ['pix', 'card-form'] as const) {
    const chosen = (turn: Turn) => choose(turn, { id: idOf(turn.req), way });
    router.post(`/pay/c/:id/${way}`, form, turning(chosen));
  }
  const payByCard = (turn: Turn) => pass(turn, { method: 'POST', path: '/card', body: turn.req.body });
  const readState = (turn: Turn) => pass(turn, { method: 'GET', path: '' });
  router.post('/pay/c/:id/card', json, turning(payByCard));
  router.get('/pay/c/:id/state', turning(readState));
  router.get('/pay/c/:id/stream', turning(follow));
}

/** A request, and what answers it. */
interface Turn {
  dependencies: WebDependencies;
  req: Request;
  res: Response;
}

async function follow(turn: Turn): Promise<void> {
  const id = idOf(turn.req);
  const holder = `checkout ${id}`;
  const findTopic = async () => {
    const { status } = await ask(turn, { method: 'GET', path: `/v1/checkouts/${id}` });
    if (status === 200) return { topic: holder };
    throw new Refusal('missing', 'NOT_FOUND', 'there is no such checkout');
  };
  await serveStream(turn.dependencies, turn, { kind: 'checkout', holder, findTopic });
}

interface BuyerRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
}

async function ask({ dependencies, req, res }: Turn, { body, ...request }: BuyerRequest) {
  const sent = body === undefined ? request : { ...request, body: JSON.stringify(body) };
  return askAsBuyer(dependencies, { req, res }, sent);
}

const problem = ({ dependencies, req, res }: Turn, status: number) =>
  showProblem(dependencies, { req, res, status });

/** What is no id names nothing. */
function idOf({ params: { id = '' } }: Request): string {
  if (typeof id === 'string' && isUuid(id)) return id;
  throw new Refusal('missing', 'NOT_FOUND', 'there is no such checkout');
}

/** The API is away, which a page says as it says that the API can't be read. */
const away = () => ({ status: 503, body: undefined });

/** Null: no link has such a name. */
function slugOf({ params: { slug } }: Request): string | null {
  return typeof slug === 'string' && /^[\w-]{16}$/.test(slug) ? slug : null;
}

async function readLink(turn: Turn, isNoVisit = false) {
  const slug = slugOf(turn.req);
  if (slug === null) return { status: 404, link: undefined };
  // From a page of ours: its form that was refused, the other language, the way back.
  const isOurs = turn.req.get('sec-fetch-site') === 'same-origin';
  const query = new URLSearchParams({
    ...((isNoVisit || isOurs || isPreview(turn.req)) && { again: 'true' }),
    ...buyerTokenAt(turn.req, slug, turn.dependencies.isSecure),
  });
  const read = (sent: string) =>
    ask(turn, { method: 'GET', path: `/v1/payment-links/${slug}/page${sent}` }).catch(away);
  const first = await read(query.size > 0 ? `?${query}` : '');
  // A replica of charges of the release before refuses the parameters, which it does not know.
  const { status, body } = first.status === 400 && query.size > 0 ? await read('') : first;
  return { status, link: status === 200 ? linkAnswer.safeParse(body).data?.data : undefined };
}

async function showLogo(turn: Turn): Promise<void> {
  const { link } = await readLink(turn, true);
  sendLogo(turn, link?.logo ?? null);
}

const unwritten = () => written.parse({});

/** With what the API has refused of it, where something was sent. */
async function showLink(
  turn: Turn,
  sent = unwritten(),
  { status = 200, refused = '', field = '' }: { status?: number; refused?: string; field?: string } = {},
): Promise<void> {
  const { dependencies, req, res } = turn;
  const { t } = req.query;
  const slug = slugOf(req);
  if (slug !== null && typeof t === 'string' && isUuid(t)) {
    keepAtLink(turn, { name: 'buyers', slug, id: t }, dependencies.isSecure);
    return res.redirect(303, `/pay/l/${slug}?lang=${languageOf(req)}`);
  }
  const read = await readLink(turn);
  if (!read.link) return problem(turn, read.status);
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

/** A buyer has said who pays, and how: the visit begins, and the charge or the card's form at once after it. */
async function begin(turn: Turn): Promise<void> {
  const { req } = turn;
  const sent = written.safeParse(req.body).data ?? unwritten();
  const slug = slugOf(req);
  if (slug === null) return problem(turn, 404);
  const { method } = sent;
  const amount = sent.amount === '' ? undefined : centsIn(sent.amount);
  if (amount === null) {
    return showLink(turn, sent, { status: 400, refused: 'VALIDATION_ERROR', field: 'amount' });
  }
  const checkoutRequest = { method: 'POST', path: `/v1/payment-links/${slug}/checkouts` } as const;
  const { isSecure } = turn.dependencies;
  const body = { ...visitOf(sent, amount), ...buyerTokenAt(req, slug, isSecure) };
  const askFor = (id: string) => ask(turn, { ...checkoutRequest, body: { ...body, id } }).catch(away);
  const first = await askFor(sent.visit);
  // A form that was corrected and sent once more is another visit.
  const answer = codeIn(first.body) === 'IDEMPOTENCY_CONFLICT' ? await askFor(randomUUID()) : first;
  const visit = visitAnswer.safeParse(answer.body).data?.data;
  if (visit) {
    keepAtLink(turn, { name: 'visits', slug, id: visit.id }, isSecure);
    return choose(turn, { id: visit.id, way: method === 'CARD' ? 'card-form' : 'pix' });
  }
  if (answer.status === 404) return problem(turn, 404);
  const [, field = ''] = /^(payerName|payerDocument|amount): /.exec(refusalIn(answer.body).message) ?? [];
  await showLink(turn, sent, { status: answer.status, refused: codeIn(answer.body), field });
}

/** Afterwards the browser is sent on, so that a reload chooses nothing again. */
async function choose(turn: Turn, { id, way }: { id: string; way: Way }): Promise<void> {
  const { req, res } = turn;
  const paymentRequest = { method: 'POST', path: `/v1/checkouts/${id}/${way}` } as const;
  const answer = await ask(turn, paymentRequest).catch(away);
  if (answer.status === 404) return problem(turn, 404);
  const visit = visitAnswer.safeParse(answer.body).data?.data;
  const refused = codeIn(answer.body);
  const query = new URLSearchParams({ lang: languageOf(req), ...(visit ? {} : { refused }) });
  const page = visit && way === 'card-form' ? '/card' : '';
  res.redirect(303, `/pay/c/${visit?.id ?? id}${page}?${query}`);
}

async function readVisit(turn: Turn) {
  const { req } = turn;
  const { id = '' } = req.params;
  if (typeof id !== 'string' || !isUuid(id)) return { status: 404, visit: undefined };
  const { status, body } = await ask(turn, { method: 'GET', path: `/v1/checkouts/${id}` }).catch(away);
  return { status, visit: status === 200 ? visitAnswer.safeParse(body).data?.data : undefined };
}

async function showVisit(turn: Turn): Promise<void> {
  const { dependencies, req, res } = turn;
  const { status, visit } = await readVisit(turn);
  if (!visit) return problem(turn, status);
  const refused = typeof req.query.refused === 'string' ? req.query.refused : '';
  const state = { visit, language: languageOf(req), refused };
  await sendPage(req, res, dependencies.checkout.documents.ofVisit(state));
}

/** Only while the form is open and the link is not used up, and no card before is undecided: no card is typed in vain. */
async function showCard(turn: Turn): Promise<void> {
  const { dependencies, req, res } = turn;
  const { status, visit } = await readVisit(turn);
  if (!visit) return problem(turn, status);
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

/** What a page's script asks, as the API answers it. */
async function pass(turn: Turn, { path, ...options }: BuyerRequest): Promise<void> {
  const { res } = turn;
  const request = { ...options, path: `/v1/checkouts/${idOf(turn.req)}${path}` };
  const { status, body, headers } = await ask(turn, request);
  passHeaders(res, { 'retry-after': headers['retry-after'] });
  res.set('Cache-Control', 'no-store');
  if (body === undefined) throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'try again shortly');
  res.status(status).json(visitAnswer.safeParse(body).data ?? body);
}
