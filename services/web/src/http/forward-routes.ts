import { pipeline } from 'node:stream/promises';
import { api, type Endpoint, endpoints } from '@plataforma/contracts';
import {
  countFor,
  createBulkhead,
  environmentOf,
  FORM_TIMEOUT_FACTOR,
  readWhole,
  requireMethod,
  routeTable,
} from '@plataforma/http';
import type { Request, Response, Router } from 'express';
import type { WebDependencies } from '../dependencies.ts';
import type { GatewayAnswer, GatewayRequest } from '../gateway.ts';
import { hasEnded } from '../session/access-tokens.ts';
import type { Session } from '../session/cookie.ts';
import { asOwner } from './as-owner.ts';
import { callerHeaders, forwardedHeaders, passHeaders } from './forwarded-headers.ts';
import { untilClosed } from './in-pool-slot.ts';

/**
 * The endpoints that pages of the dashboard may call. Operators' endpoints and endpoints that return or
 * accept a session's token are excluded.
 */
const served = endpoints.filter(isForPages);

function isForPages(endpoint: Endpoint): boolean {
  const { kind } = endpoint.access;
  if (endpoint === api.logOut || endpoint === api.changePassword) return false;
  return kind === 'merchant' || kind === 'bearer';
}

const resourceOf = routeTable(served);

/**
 * Returns the factor by which the time limit for the request's body is multiplied. The factor exceeds 1 for
 * an endpoint that takes a file, because file uploads take longer.
 */
export function timeoutFactorFor({ method, originalUrl }: Request): number {
  return resourceOf(originalUrl.slice('/api'.length))?.endpoints.get(method)?.takesFile
    ? FORM_TIMEOUT_FACTOR
    : 1;
}

/** Forwards a request of `/api/v1/…` to `/v1/…` of the gateway with the session's access token. */
export function forwardRoutes(app: Router, dependencies: WebDependencies): void {
  const [inFormSlot, inSlot, inWaitSlot] = [
    createBulkhead('forms'),
    createBulkhead('pages'),
    createBulkhead('pageWaits'),
  ];

  app.all('/api/v1/{*path}', async (req, res, next) => {
    const path = req.originalUrl.slice('/api'.length);
    const resource = resourceOf(path);
    if (!resource) return next();
    const endpoint = requireMethod(req, res, resource);
    if (endpoint.access.kind === 'merchant') countFor(req, { environment: environmentOf(req) });
    const headers = { ...forwardedHeaders(req), ...callerHeaders(dependencies.addressOf, req, res) };
    const requestOf = async () => {
      const body = await readWhole(req, res, endpoint);
      return { method: methodOf(req), path, headers, body, ...unlessChanging(req, res) };
    };
    const session = dependencies.sessions.require(req);
    const account = { method: 'GET', path: '/v1/account' } as const;
    const readAccount = () => asOwner(dependencies, { req, res, session }, account);
    const tenant = await dependencies.tenants.tenantOf(environmentOf(req), session, readAccount);
    const inSlotOfIts = endpoint.waits && 'wait' in req.query ? inWaitSlot : inSlot;
    const forward = async () => {
      const request = await requestOf();
      const send = () => asSession(dependencies, { res, session }, request);
      await inSlotOfIts(tenant, async () =>
        answer(res, await send().catch((error) => endOnRefusal(dependencies, res, error))),
      );
    };
    await (endpoint.takesFile ? inFormSlot(tenant, forward) : forward());
  });
}

/**
 * Sends the request. After a 401, sends the request once more with a fresh access token. The retry is safe
 * because a request with a refused token changed nothing.
 */
async function asSession(
  { pagesGateway, accessTokens }: WebDependencies,
  { res, session }: { res: Response; session: Session },
  request: GatewayRequest,
): Promise<GatewayAnswer> {
  const send = async () => {
    const token = await accessTokens.tokenOf(session, res, whereFrom(request.headers));
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    return { token, answer: await pagesGateway.send({ ...request, headers }) };
  };
  const first = await send();
  if (first.answer.statusCode !== 401) return first.answer;
  await first.answer.body.dump();
  accessTokens.drop(session.refreshToken, first.token);
  return (await send()).answer;
}

/**
 * Returns the headers that identify the caller, so that the rate limit of the caller's address applies to the
 * token refresh too.
 */
function whereFrom(headers: Record<string, string>): Record<string, string> {
  const { 'x-forwarded-for': address = '', 'x-request-id': id = '', 'user-agent': agent } = headers;
  return {
    'x-forwarded-for': address,
    'x-request-id': id,
    ...(agent !== undefined && { 'user-agent': agent }),
  };
}

function endOnRefusal({ sessions }: WebDependencies, res: Response, error: unknown): never {
  if (hasEnded(error)) sessions.end(res);
  throw error;
}

async function answer(res: Response, { statusCode, headers, body }: GatewayAnswer): Promise<void> {
  passHeaders(res, headers);
  res.status(statusCode);
  // Node warns when an emitter has more than 10 listeners. The pipeline and the server together add more than
  // 10.
  res.setMaxListeners(20);
  // If the gateway's answer breaks off, the browser's socket is destroyed, so that half an answer never looks
  // complete. An error here does not fail the request.
  await pipeline(body, res).catch(() => res.destroy());
}

/**
 * Returns a signal that cancels a read when its caller disconnects. A change has no signal, so it always
 * completes.
 */
function unlessChanging(req: Request, res: Response): { signal?: AbortSignal } {
  if (req.method !== 'GET') return {};
  return { signal: untilClosed(res) };
}

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const;

function methodOf(req: Request): GatewayRequest['method'] {
  const method = METHODS.find((one) => one === req.method);
  if (method) return method;
  throw new Error(`no endpoint has the method ${req.method}`);
}
