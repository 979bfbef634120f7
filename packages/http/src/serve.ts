import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type DataOf,
  DEPRECATED_SINCE,
  type Endpoint,
  type Meta,
  type OperatorRole,
  olderNamesIn,
  type RequestPart,
  type SchemaOf,
  type Scope,
  schemaOf,
} from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import { actFor } from '@plataforma/observe';
import express, { type IRouter, type Request, type RequestHandler, type Response } from 'express';
import type { z } from 'zod';
import { requireAcceptable } from './accept.ts';
import { refuseManyValues, turnOfBody } from './body-cost.ts';
import { hasBody, requireJson, requireKind } from './body-type.ts';
import { authenticateCaller } from './caller.ts';
import { refuseCardNumbers } from './card-number.ts';
import { failPoint } from './fail-points.ts';
import { countFor } from './follow.ts';
import { readForm, refuseCardsInNames } from './form.ts';
import { BROKEN_OFF } from './http-errors.ts';
import { IDENTITY_HEADER, type MerchantIdentity, type OperatorIdentity, type Verifier } from './identity.ts';
import { boundMeta, openQuery } from './pages.ts';
import { readQuery } from './query.ts';
import { validate, validateBody } from './validation.ts';
import { bodyLimitOf } from './whole-body.ts';

/** A validated call, without HTTP types. */
export interface Call<E extends Endpoint> {
  params: Read<E, 'params'>;
  query: Read<E, 'query'>;
  body: Read<E, 'body'>;
}

type Read<E extends Endpoint, Part extends RequestPart> = z.output<SchemaOf<E, Part>>;

/** The answer of a handler: a view, and for a page its `meta`. */
export interface Answer<E extends Endpoint> {
  data: DataOf<E>;
  meta?: Meta;
  status?: number;
}

const BODY_LIMIT_BYTES = 100 * 1024;

/** Creates a handler that reads a JSON body of at most `limit` bytes (100 KiB) and refuses other kinds. */
export function readBody(
  limit = BODY_LIMIT_BYTES,
  check?: (body: Buffer, req: IncomingMessage) => void,
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

/**
 * Creates a reader of a JSON body, or of a form where the endpoint takes a file. Call it after
 * authentication, so that no unknown caller's body is read. It refuses a card number, unless a provider sends
 * it.
 */
export function bodyReader(endpoint: Endpoint): (req: Request, res: Response) => Promise<void> {
  const read = readBody(bodyLimitOf(endpoint), endpoint.fromProvider ? undefined : refuseManyValues);
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
  // The parser reports no body when the caller is gone; the call would then run without its body.
  if (!req.readableEnded && !req.socket.readable) {
    throw BROKEN_OFF;
  }
}

/** Invalid UTF-8 would be replaced silently, so that two different bodies could become equal. */
function requireUtf8(body: Buffer): void {
  if (!isUtf8(body)) throw new Refusal('invalid', 'VALIDATION_ERROR', 'body: must be UTF-8');
}

/** Sets `Deprecation` and `Sunset` on the answer when the request uses a deprecated name. */
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
  /** Returns the caller, before the body is read and again if the body comes late. */
  authenticate: (req: Request) => Principal | Promise<Principal>;
  /** Answers the validated request itself. */
  respond: (call: Call<E>, principal: Principal, http: { req: Request; res: Response }) => Promise<void>;
}

/** Serves `endpoint` to callers that pass `authenticate`; `respond` writes or forwards the answer. */
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

/** Serves `endpoint` to callers that pass `authenticate`, which runs before the body comes. */
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

/** Serves an endpoint for merchants: the gateway names the caller, and the scope is checked once more. */
export function serve<E extends Endpoint>(
  router: IRouter,
  endpoint: E,
  handler: {
    verifier: Verifier;
    /** `res` shows when the caller is gone. */
    answer: (call: Call<E>, merchant: MerchantIdentity, res: Response) => Promise<Answer<E>>;
  },
): void {
  const authenticate = (req: Request) => merchantOf(req, handler.verifier, endpoint);
  serveTo(router, endpoint, { authenticate, answer: handler.answer });
}

/**
 * Serves an endpoint that needs no account, but an identity token for this service. `group` is that of the
 * caller's network, or null when the gateway sends none.
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

/** Serves an endpoint for operators: the gateway names the operator, and the role is checked once more. */
export function serveOperator<E extends Endpoint>(
  router: IRouter,
  endpoint: E,
  handler: { verifier: Verifier; answer: (call: Call<E>, operator: OperatorIdentity) => Promise<Answer<E>> },
): void {
  const authenticate = (req: Request) => operatorOf(req, handler.verifier, endpoint);
  serveTo(router, endpoint, { authenticate, answer: handler.answer });
}

/** Refuses with UNAUTHORIZED any caller but the named services; without names, every service may call. */
export function requireService(req: Request, verifier: Verifier, ...names: string[]): void {
  const { identity, issuer } = verifier.verify(req.get(IDENTITY_HEADER));
  const isWelcome = identity.kind === 'service' && (names.length === 0 || names.includes(issuer));
  if (!isWelcome) throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'services only');
}

/** Returns the operator that the gateway names; refuses other callers and roles. */
export function operatorOf(req: Request, verifier: Verifier, endpoint: Endpoint): OperatorIdentity {
  const { identity, issuer } = verifier.verify(req.get(IDENTITY_HEADER));
  if (identity.kind !== 'operator' || issuer !== 'gateway') {
    throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'this call needs an operator’s bearer token');
  }
  requireRole(endpoint, identity.role);
  return identity;
}

export function isForRole({ access }: Endpoint, role: OperatorRole): boolean {
  return access.kind === 'operator' && access.roles.includes(role);
}

export function requireRole(endpoint: Endpoint, role: OperatorRole): void {
  if (isForRole(endpoint, role)) return;
  throw new Refusal('forbidden', 'FORBIDDEN', `the role ${role} does not allow this`);
}

/** Returns the merchant that the gateway names; refuses other callers and missing scopes. */
export function merchantOf(req: Request, verifier: Verifier, endpoint: Endpoint): MerchantIdentity {
  const { identity, issuer } = verifier.verify(req.get(IDENTITY_HEADER));
  if (identity.kind !== 'merchant' || issuer !== 'gateway') {
    throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'this call needs an API key or a bearer token');
  }
  if (endpoint.access.kind !== 'merchant') {
    actFor(identity);
    return identity;
  }
  countFor(req, identity);
  requireScope(endpoint.access.anyOf, identity.scopes);
  return identity;
}

/** Refuses with INSUFFICIENT_SCOPE and names the missing scope; accepts any key when `anyOf` is empty. */
export function requireScope(anyOf: readonly Scope[], granted: readonly Scope[]): void {
  if (anyOf.length === 0 || anyOf.some((scope) => granted.includes(scope))) return;
  throw new Refusal('forbidden', 'INSUFFICIENT_SCOPE', `the API key lacks the scope ${anyOf.join(' or ')}`);
}

/** Reads path, query and body by the endpoint's schemas, with days in the zone of the caller's account. */
export function readCall<E extends Endpoint>(endpoint: E, req: Request, principal: unknown): Call<E> {
  // An operator's null is refused where the schema does not take it, because it may be meant to lift a limit.
  const readFields = endpoint.access.kind === 'operator' ? validate : validateBody;
  const params = readParams(schemaOf(endpoint, 'params'), req);
  const query = readQuery(endpoint, endpoint.paged ? openQuery(req) : req.query, { principal });
  const body = readFields(schemaOf(endpoint, 'body'), req.body ?? {});
  // Checked again, because a schema may drop the sign between two groups of digits or turn it into a blank.
  if (!endpoint.fromProvider) refuseCardNumbers(body);
  return { params, query, body };
}

/** Reads the path parameters; a malformed one is NOT_FOUND, because it can name nothing. */
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
