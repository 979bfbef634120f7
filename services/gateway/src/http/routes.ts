import type { ServerResponse } from 'node:http';
import { api, callbacks, type Endpoint, endpoints, probeOf } from '@plataforma/contracts';
import {
  ANSWER_HEADERS,
  answerTypeOf,
  authenticateCaller,
  FORM_TIMEOUT_FACTOR,
  FORWARDED_FOR_IGNORED,
  type ForwardWithoutExpress,
  type HttpRequest,
  type Identity,
  isForwardedForIgnored,
  limitBodyTime,
  type Resource,
  type Router,
  readOnly,
  readWhole,
  refuseAmbiguous,
  refuseContradictory,
  requireMethod,
  routeTable,
  whenClosed,
} from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import { siteOf } from '@plataforma/kernel/addresses';
import type { Express } from 'express';
import type { GatewayDependencies } from '../dependencies.ts';
import { sessionEnded } from '../domain/access.ts';
import { accountRoutes } from './account-routes.ts';
import { adminRoutes } from './admin-routes.ts';
import { OPEN_TO_BROWSERS, openToBrowsers } from './answer-headers.ts';
import { apiKeyRoutes } from './api-key-routes.ts';
import { checkOf, sessionIdOf } from './authenticate.ts';
import { chainRoutes } from './chain-routes.ts';
import { clockRoutes } from './clock-routes.ts';
import { collectionRoutes } from './collection-routes.ts';
import { docsRoutes } from './docs-routes.ts';
import { costOfBody } from './limits.ts';
import { limitLogins, limitOperatorLogins } from './login-limits.ts';
import { operatorAccessRoutes } from './operator-access-routes.ts';
import { identityOf } from './operator-check.ts';
import { guardOperatorLogins } from './operator-networks.ts';
import { operatorRoutes } from './operator-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { proposalRoutes } from './proposal-routes.ts';
import { networkGroup } from './public-tries.ts';
import { recordRoutes } from './record-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { serviceFor } from './service-for.ts';
import { sessionRoutes } from './session-routes.ts';
import { stopRoutes } from './stop-routes.ts';

/** The callers that a listener serves: all, or only one kind if operators have a separate listener. */
export type Audience = 'everybody' | 'merchants' | 'operators';

interface Own {
  audience: Audience;
  served: Endpoint[];
  admit: ReturnType<typeof admission>;
}

export interface ServedRoutes {
  mount(app: Express): void;
  forwardWithoutExpress: ForwardWithoutExpress;
}

export function servedRoutes(dependencies: GatewayDependencies, audience: Audience): ServedRoutes {
  const all: Endpoint[] = [
    ...endpoints,
    ...Object.values(callbacks).flatMap((callback) => [callback, probeOf(callback)]),
  ];
  const served = all.filter((endpoint) => isServed(endpoint, audience));
  const resourceOf = routeTable(served);
  const admit = admission(dependencies);
  return {
    mount: (app) => ownRoutes(app, dependencies, { audience, served, admit }),
    // Forwarded requests bypass express. Most requests are forwarded, and express would make each a third
    // slower.
    forwardWithoutExpress(req, res) {
      const resource = resourceOf(req.url ?? '');
      if (!resource || isServedHere(resource, req.method ?? '')) return undefined;
      req.res = res;
      req.route = resource;
      res.setHeaders(ANSWER_HEADERS);
      if (resource.isOpenToBrowsers) res.setHeaders(OPEN_TO_BROWSERS);
      const endpoint = admit(req, res, resource);
      return endpoint && forwardTo(endpoint, dependencies, { req, res });
    },
  };
}

/**
 * Returns true if express serves the request: an endpoint of the gateway itself, or a CORS preflight of an
 * endpoint that is open to browsers. Other code refuses a method that the path does not have.
 */
function isServedHere({ endpoints, isOpenToBrowsers }: Resource, method: string): boolean {
  if (method === 'OPTIONS') return isOpenToBrowsers;
  return endpoints.get(method)?.service === 'gateway';
}

const ofMerchants = [
  documentRoutes,
  docsRoutes,
  collectionRoutes,
  accountRoutes,
  sessionRoutes,
  apiKeyRoutes,
  requestRoutes,
  clockRoutes,
];
const ofOperators = [
  adminRoutes,
  operatorRoutes,
  operatorAccessRoutes,
  passkeyRoutes,
  recordRoutes,
  chainRoutes,
  stopRoutes,
  proposalRoutes,
];

function ownRoutes(app: Express, dependencies: GatewayDependencies, { audience, served, admit }: Own): void {
  app.use((req, res, next) => {
    res.setHeaders(ANSWER_HEADERS);
    admit(req, res);
    next();
  });
  for (const endpoint of served) if (endpoint.openToBrowsers) openToBrowsers(app, endpoint);
  if (audience !== 'operators') {
    limitLogins(app, dependencies.loginLimits);
    for (const mount of ofMerchants) mount(app, dependencies);
  }
  if (audience !== 'merchants') {
    guardOperatorLogins(app, dependencies);
    limitOperatorLogins(app, dependencies.loginLimits);
    for (const mount of ofOperators)
      mount(app, { ...dependencies, passwords: dependencies.operatorPasswords });
  }
  for (const path of ['/openapi.json', '/collection.json', '/docs']) {
    app.all(path, (req, res) => requireMethod(req, res, readOnly(path)));
  }
}

/**
 * Checks a request before authentication and finds its endpoint. Ambiguous HTTP requests are counted and
 * refused at once, because a parser error in the next bytes would prevent an answer.
 */
function admission({ limits, addressOf, bodyTimeoutMs }: GatewayDependencies) {
  return (req: HttpRequest, res: ServerResponse, resource?: Resource): Endpoint | undefined => {
    const { takesFile, fromProvider, cost = 1 } = resource?.endpoints.get(req.method ?? '') ?? {};
    limitBodyTime(req, res, takesFile ? bodyTimeoutMs * FORM_TIMEOUT_FACTOR : bodyTimeoutMs);
    // The `web` service logs a warning when it gets this header. While the gateway ignores the addresses that
    // `web` forwards, all callers behind `web` share one limit.
    if (isForwardedForIgnored(req, addressOf)) res.setHeader(FORWARDED_FOR_IGNORED, 'true');
    try {
      refuseAmbiguous(req, res);
      const endpoint = resource && requireMethod(req, res, resource);
      refuseContradictory(req, res, endpoint?.fromProvider === true);
      return endpoint;
    } finally {
      // Above the limit, RATE_LIMITED replaces a refusal from the lines above. The header `Connection: close`
      // of that refusal stays.
      limits.byAddress(req, fromProvider ? cost : cost + costOfBody(req));
    }
  };
}

function isServed({ path }: Endpoint, audience: Audience): boolean {
  return audience === 'everybody' || path.startsWith('/v1/admin/') === (audience === 'operators');
}

function documentRoutes(app: Router, { webUrl, sendFile }: GatewayDependencies): void {
  app.get('/openapi.json', async (req, res) => {
    res.set('Content-Type', 'application/json; charset=utf-8');
    await sendFile(req, res, { bytes: await documentOfApi() });
  });
  if (webUrl !== undefined) app.get('/', (_req, res) => void res.redirect(webUrl));
}

let document: Promise<Buffer> | undefined;

/**
 * Builds the OpenAPI document at its first request, so that the gateway starts faster. All callers get the
 * same bytes.
 */
function documentOfApi(): Promise<Buffer> {
  document ??= import('@plataforma/api-docs/openapi').then(({ openApiDocument }) =>
    Buffer.from(JSON.stringify(openApiDocument(api))),
  );
  return document;
}

async function forwardTo(
  endpoint: Endpoint,
  dependencies: GatewayDependencies,
  { req, res }: { req: HttpRequest; res: ServerResponse },
): Promise<void> {
  const caller = await authenticateCaller(() => callerOf(req, endpoint, dependencies));
  const anonymous =
    caller.principal.kind === 'anonymous' ? anonymousOf(req, endpoint, dependencies) : undefined;
  await dependencies.countTry(req, endpoint);
  const forward = async () => {
    const body = await readWhole(req, res, endpoint);
    const identity = await caller.current();
    const mode = forwardModeOf(endpoint, req);
    const whole = { service: serviceFor(endpoint, body), caller: identity, anonymous, body, mode };
    if (mode === 'buffer') {
      return dependencies.limitDeclines(req, endpoint, (answered) =>
        dependencies.forward(req, res, { ...whole, isOrder: endpoint.signedOrder, answered }),
      );
    }
    const { ended, release } = endOf(req, dependencies);
    whenClosed(res, release);
    if (ended.aborted) throw ended.reason;
    await dependencies.forward(req, res, { ...whole, ended });
  };
  await (endpoint.takesFile ? dependencies.formSlots(caller.principal, forward) : forward());
}

/**
 * Returns the network and the pool of a caller without an account. Provider callbacks and buyers' reads have
 * slots of their own. So buyers do not delay callbacks, and reads do not delay payments.
 */
function anonymousOf(
  req: HttpRequest,
  { fromProvider, method }: Endpoint,
  { addressOf }: Pick<GatewayDependencies, 'addressOf'>,
) {
  const ofBuyers = method === 'get' ? 'buyerReads' : 'buyers';
  return { network: siteOf(addressOf(req)), pool: fromProvider ? 'callbacks' : ofBuyers } as const;
}

/**
 * The interval at which a long request checks whether its caller still has access. Most checks read a cached
 * API key, so that they cause few queries.
 */
const CHECK_MS = 1_000;

/**
 * Returns a signal that aborts when the caller loses access. A long poll is then answered, and a file is cut
 * off.
 */
function endOf(req: HttpRequest, { sessionEnds }: Pick<GatewayDependencies, 'sessionEnds'>) {
  const ending = new AbortController();
  const { signal: ended } = ending;
  const releases: (() => void)[] = [];
  const check = checkOf(req);
  if (check) {
    const timer = setInterval(() => {
      // An error of the database does not mean lost access, so only a Refusal aborts the request.
      check().catch((error) => error instanceof Refusal && ending.abort(error));
    }, CHECK_MS).unref();
    releases.push(() => clearInterval(timer));
  }
  const sessionId = sessionIdOf(req);
  if (sessionId !== undefined) {
    const end = () => ending.abort(sessionEnded());
    releases.push(sessionEnds.on(sessionId, end));
    if (sessionEnds.has(sessionId)) end();
  }
  return {
    ended,
    release() {
      for (const release of releases) release();
    },
  };
}

function forwardModeOf(endpoint: Endpoint, req: HttpRequest): 'buffer' | 'stream' | 'wait' {
  const { alsoAs, waits } = endpoint;
  const { url = '' } = req;
  // A file may have any length, so it is streamed.
  if (alsoAs && answerTypeOf(req, endpoint) !== 'application/json') return 'stream';
  return waits && new URL(url, 'http://localhost').searchParams.has('wait') ? 'wait' : 'buffer';
}

/**
 * The environment and the scopes of a session whose request names no environment. Services require both, so
 * they get the sandbox and no scope.
 */
const OF_THE_ACCOUNT = { environment: 'sandbox' as const, scopes: [] };

async function callerOf(
  req: HttpRequest,
  endpoint: Endpoint,
  { authenticate, addressOf }: Pick<GatewayDependencies, 'authenticate' | 'addressOf'>,
): Promise<Identity> {
  if (endpoint.access.kind === 'merchant') {
    return { kind: 'merchant', ...(await authenticate.merchant(req, endpoint)) };
  }
  if (endpoint.access.kind === 'bearer') {
    const { merchantId } = await authenticate.session(req);
    return { kind: 'merchant', merchantId, ...OF_THE_ACCOUNT };
  }
  if (endpoint.access.kind === 'operator') {
    return identityOf(await authenticate.operator(req, endpoint));
  }
  return { kind: 'anonymous', ...(endpoint.tries && { group: networkGroup(addressOf(req)) }) };
}
