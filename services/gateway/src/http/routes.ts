import type { ServerResponse } from 'node:http';
import { api, callbacks, type Endpoint, endpoints, openApiDocument } from '@plataforma/contracts';
import { type HttpRequest, type Identity, type Shortcut, sendRefusal } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { Express } from 'express';
import type { PasswordQueues } from '../passwords.ts';
import { type AccountParts, accountRoutes } from './account-routes.ts';
import { adminRoutes } from './admin-routes.ts';
import { alarmRoutes } from './alarm-routes.ts';
import { ANSWER_HEADERS, OPEN_TO_BROWSERS, openToBrowsers } from './answer-headers.ts';
import { auditRoutes } from './audit-routes.ts';
import type { Authenticate } from './authenticate.ts';
import { limitBodyTime, readWhole } from './body.ts';
import { docsRoutes } from './docs-routes.ts';
import type { Limits } from './limits.ts';
import { type LoginLimits, limitLogins, limitOperatorLogins } from './login-limits.ts';
import type { Forward } from './proxy.ts';
import { refuseAmbiguous } from './refuse-ambiguous.ts';
import { routeTable } from './route-table.ts';
import { stopRoutes } from './stop-routes.ts';
import { type TimelineParts, timelineRoutes } from './timeline-routes.ts';

interface Parts extends AccountParts, TimelineParts {
  authenticate: Authenticate;
  forward: Forward;
  /** Hashed beside merchants’, however many of those wait. */
  operatorPasswords: PasswordQueues;
  limits: Limits;
  loginLimits: LoginLimits;
  bodyTimeoutMs: number;
}

/** Who comes in here: everybody, or with a door of their own for operators, one sort of caller. */
export type Door = 'everybody' | 'merchants' | 'operators';

/** What the gateway answers at a door: its own endpoints, those it forwards, and nothing else. */
export interface Doorway {
  mount(app: Express): void;
  shortcut: Shortcut;
}

export function doorway(parts: Parts, door: Door): Doorway {
  const all: Endpoint[] = [...endpoints, ...Object.values(callbacks)];
  const served = all.filter((endpoint) => isServed(endpoint, door));
  const forwarded = routeTable(served.filter(({ service }) => service !== 'gateway'));
  return {
    mount: (app) => ownRoutes(app, parts, { door, served }),
    // Most requests are to be forwarded, and express would take a third of the time that takes.
    shortcut(req, res) {
      const endpoint = forwarded(req.method ?? '', req.url ?? '');
      if (!endpoint) return undefined;
      req.res = res;
      req.route = endpoint;
      res.setHeaders(ANSWER_HEADERS);
      if (endpoint.openToBrowsers) res.setHeaders(OPEN_TO_BROWSERS);
      admit(req, res, parts);
      return forwardTo(endpoint, parts, { req, res });
    },
  };
}

function ownRoutes(app: Express, parts: Parts, { door, served }: { door: Door; served: Endpoint[] }): void {
  app.use((_req, res, next) => {
    res.setHeaders(ANSWER_HEADERS);
    next();
  });
  app.use((req, res, next) => {
    admit(req, res, parts);
    next();
  });
  for (const endpoint of served) if (endpoint.openToBrowsers) openToBrowsers(app, endpoint);
  if (door !== 'operators') merchantRoutes(app, parts);
  if (door !== 'merchants') operatorRoutes(app, parts);

  for (const [path, methods] of Map.groupBy(served, ({ path }) => path)) {
    app.all(path, (_req, res) => {
      res.setHeader('Allow', methods.flatMap(allowed).join(', '));
      sendRefusal(res, new Refusal('method', 'METHOD_NOT_ALLOWED', 'the path does not take this method'));
    });
  }
}

/**
 * What is asked of every request, before it is known who calls. What is ambiguous is counted and refused here and now:
 * the next bytes may be read as malformed, and then nobody is answered any more.
 */
function admit(req: HttpRequest, res: ServerResponse, { limits, bodyTimeoutMs }: Parts): void {
  limitBodyTime(req, res, bodyTimeoutMs);
  try {
    refuseAmbiguous(req, res);
  } finally {
    // Above the limit its refusal takes the place of the other one, whose `Connection: close` stays.
    limits.byAddress(req);
  }
}

function isServed({ path }: Endpoint, door: Door): boolean {
  return door === 'everybody' || path.startsWith('/v1/admin/') === (door === 'operators');
}

function allowed({ method, openToBrowsers: isOpen }: Endpoint): string[] {
  const own = method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
  return isOpen ? [...own, 'OPTIONS'] : own;
}

function merchantRoutes(app: Express, parts: Parts): void {
  const document = JSON.stringify(openApiDocument(api));
  app.get('/openapi.json', (_req, res) => void res.type('application/json').send(document));
  docsRoutes(app);
  limitLogins(app, parts.loginLimits);
  accountRoutes(app, parts);
}

function operatorRoutes(app: Express, parts: Parts): void {
  limitOperatorLogins(app, parts.loginLimits);
  adminRoutes(app, { ...parts, passwords: parts.operatorPasswords });
  auditRoutes(app, parts);
  timelineRoutes(app, parts);
  alarmRoutes(app, parts);
  stopRoutes(app, parts);
}

async function forwardTo(
  endpoint: Endpoint,
  parts: Parts,
  { req, res }: { req: HttpRequest; res: ServerResponse },
): Promise<void> {
  const { service, maxBodyBytes, alsoAs } = endpoint;
  const who = await callerOf(req, endpoint, parts.authenticate);
  const body = await readWhole(req, maxBodyBytes);
  await parts.forward(req, res, { service, who, body, isLong: alsoAs !== undefined });
}

async function callerOf(req: HttpRequest, endpoint: Endpoint, authenticate: Authenticate): Promise<Identity> {
  if (endpoint.access.kind === 'merchant') {
    return { kind: 'merchant', ...(await authenticate.merchant(req, endpoint)) };
  }
  if (endpoint.access.kind === 'operator') {
    const { sub: operatorId, role } = await authenticate.operator(req, endpoint);
    return { kind: 'operator', operatorId, role };
  }
  return { kind: 'anonymous' };
}
