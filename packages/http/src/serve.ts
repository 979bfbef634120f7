import {
  type DataOf,
  DEPRECATED_SINCE,
  type Endpoint,
  type Meta,
  olderNamesIn,
  type RequestPart,
  type SchemaOf,
  schemaOf,
} from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import type { IRouter, Request, Response } from 'express';
import type { z } from 'zod';
import { requireAcceptable } from './accept.ts';
import { authenticateCaller } from './caller.ts';
import { refuseCardNumbers } from './card-number.ts';
import { failPoint } from './fail-points.ts';
import { IDENTITY_HEADER, type MerchantIdentity, type OperatorIdentity, type Verifier } from './identity.ts';
import { ORDER_HEADER } from './order-token.ts';
import { boundMeta, openQuery } from './pages.ts';
import { merchantOf, operatorOf } from './principals.ts';
import { readQuery } from './query.ts';
import { bodyReader, orderedBodyOf } from './read-body.ts';
import { validate, validateBody } from './validation.ts';

/** The validated parts of a request, without HTTP types. */
export interface Call<E extends Endpoint> {
  params: Read<E, 'params'>;
  query: Read<E, 'query'>;
  body: Read<E, 'body'>;
  /** The gateway's signature of an order, and the exact body that it signed. Empty for other endpoints. */
  order: { token: string | null; body: string };
}

type Read<E extends Endpoint, Part extends RequestPart> = z.output<SchemaOf<E, Part>>;

/** The answer of a handler: the data, and for a page its `meta`. */
export interface Answer<E extends Endpoint> {
  data: DataOf<E>;
  meta?: Meta;
  status?: number;
}

/**
 * Sets the headers `Deprecation` and `Sunset` on the answer when the request uses an older name of a field or
 * parameter.
 */
export function sayDeprecation({ query, body }: Endpoint, req: Request, res: Response): void {
  const usesOlderName = (schema: z.ZodType | undefined, given: unknown) =>
    olderNamesIn(schema).some((name) => given instanceof Object && Object.hasOwn(given, name));
  if (!usesOlderName(query, { ...req.query }) && !usesOlderName(body, req.body)) return;
  const day = new Date(DEPRECATED_SINCE);
  res.setHeader('Deprecation', `@${day.getTime() / 1000}`);
  day.setUTCFullYear(day.getUTCFullYear() + 1);
  res.setHeader('Sunset', day.toUTCString());
}

interface RouteHandler<E extends Endpoint, Principal> {
  /** Returns the caller. Runs before the body is read, and a second time if the body arrives late. */
  authenticate: (req: Request) => Principal | Promise<Principal>;
  respond: (call: Call<E>, principal: Principal, http: { req: Request; res: Response }) => Promise<void>;
}

/**
 * Serves `endpoint` to callers that pass `authenticate`. `respond` writes the answer, or forwards the
 * request.
 */
export function openTo<E extends Endpoint, Principal>(
  router: IRouter,
  endpoint: E,
  { authenticate, respond }: RouteHandler<E, Principal>,
): void {
  if (endpoint.keyed) throw new Error(`${endpoint.path} is keyed: it takes serveIdempotent to honour that`);
  const read = bodyReader(endpoint);
  router[endpoint.method](endpoint.path, async (req: Request, res: Response) => {
    const caller = await authenticateCaller(() => authenticate(req));
    requireAcceptable(req, endpoint);
    await read(req, res);
    const principal = await caller.current();
    sayDeprecation(endpoint, req, res);
    await respond(readCall(endpoint, req, principal), principal, { req, res });
  });
}

/**
 * Serves `endpoint` to callers that pass `authenticate`, which runs before the body is read. `answer` returns
 * the data.
 */
export function serveTo<E extends Endpoint, Principal>(
  router: IRouter,
  endpoint: E,
  handler: Pick<RouteHandler<E, Principal>, 'authenticate'> & {
    answer: (call: Call<E>, principal: Principal, res: Response) => Promise<Answer<E>>;
  },
): void {
  openTo(router, endpoint, {
    authenticate: handler.authenticate,
    async respond(call, principal, { res }) {
      const answered = await handler.answer(call, principal, res);
      failPoint('answer.due');
      sendAnswer(res, endpoint, answered);
    },
  });
}

/**
 * Serves an endpoint for merchants. The gateway names the merchant, and the service checks the scope once
 * more.
 */
export function serve<E extends Endpoint>(
  router: IRouter,
  endpoint: E,
  handler: {
    verifier: Verifier;
    /** Returns the answer. `res` shows whether the caller has disconnected. */
    answer: (call: Call<E>, merchant: MerchantIdentity, res: Response) => Promise<Answer<E>>;
  },
): void {
  const authenticate = (req: Request) => merchantOf(req, handler.verifier, endpoint);
  serveTo(router, endpoint, { authenticate, answer: handler.answer });
}

/**
 * Serves an endpoint that needs no account, but needs an identity token for this service. `group` is the
 * number that stands for the caller's network, or null when the gateway sends none.
 */
export function serveAnonymous<E extends Endpoint>(
  router: IRouter,
  endpoint: E,
  handler: { verifier: Verifier; answer: (call: Call<E>, group: number | null) => Promise<Answer<E>> },
): void {
  const authenticate = (req: Request) => {
    const { identity, issuer } = handler.verifier.verify(req.get(IDENTITY_HEADER));
    return identity.kind === 'anonymous' && issuer === 'gateway' ? (identity.group ?? null) : null;
  };
  serveTo(router, endpoint, { authenticate, answer: handler.answer });
}

/**
 * Serves an endpoint for operators. The gateway names the operator. The gateway and the service both check
 * that the operator's role allows the call.
 */
export function serveOperator<E extends Endpoint>(
  router: IRouter,
  endpoint: E,
  handler: { verifier: Verifier; answer: (call: Call<E>, operator: OperatorIdentity) => Promise<Answer<E>> },
): void {
  const authenticate = (req: Request) => operatorOf(req, handler.verifier, endpoint);
  serveTo(router, endpoint, { authenticate, answer: handler.answer });
}

/**
 * Reads path, query and body by the schemas of the endpoint. Days are in the time zone of the caller's
 * account.
 */
export function readCall<E extends Endpoint>(endpoint: E, req: Request, principal: unknown): Call<E> {
  // An operator sends null to remove a limit. A null that the schema does not accept is refused, because the
  // operator would believe that the limit is removed. For other callers, it counts as absent.
  const readFields = endpoint.access.kind === 'operator' ? validate : validateBody;
  const params = readParams(schemaOf(endpoint, 'params'), req);
  const query = readQuery(endpoint, endpoint.paged ? openQuery(req) : req.query, { principal });
  const body = readFields(schemaOf(endpoint, 'body'), req.body ?? {});
  // The parsed body is checked, too: a schema may remove a sign between digits, and so turn them into a card
  // number.
  if (!endpoint.fromProvider) refuseCardNumbers(body);
  const order = { token: req.get(ORDER_HEADER) ?? null, body: orderedBodyOf(req) };
  return { params, query, body, order };
}

/** Reads the path parameters. Refuses a malformed one with NOT_FOUND, because no object has such an id. */
export function readParams<T extends z.ZodType>(params: T, req: Request): z.output<T> {
  const result = params.safeParse(req.params);
  if (!result.success) throw new Refusal('missing', 'NOT_FOUND', 'there is nothing with this id');
  return result.data;
}

function sendAnswer<E extends Endpoint>(res: Response, endpoint: E, { data, meta, status }: Answer<E>): void {
  if (endpoint.openToBrowsers) res.setHeader('Access-Control-Allow-Origin', '*');
  const page = meta ? { meta: boundMeta(res.req, meta) } : {};
  res.status(status ?? endpoint.status).json({ success: true, data, ...page });
}
