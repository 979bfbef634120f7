import { type Identity, sendRefusal } from '@plataforma/chassis';
import { api, callbacks, type Endpoint, endpoints, openApiDocument } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import type { Express, Request } from 'express';
import { type AccountParts, accountRoutes } from './account-routes.ts';
import { adminRoutes } from './admin-routes.ts';
import { answerHeaders, openToBrowsers } from './answer-headers.ts';
import { auditRoutes } from './audit-routes.ts';
import type { Authenticate } from './authenticate.ts';
import { bodyDeadline, readWhole } from './body.ts';
import { docsRoutes } from './docs-routes.ts';
import type { Limits } from './limits.ts';
import { type LoginLimits, limitLogins, limitOperatorLogins } from './login-limits.ts';
import type { Forward } from './proxy.ts';
import { refuseAmbiguous } from './refuse-ambiguous.ts';

interface Parts extends AccountParts {
  authenticate: Authenticate;
  forward: Forward;
  limits: Limits;
  loginLimits: LoginLimits;
  bodyTimeoutMs: number;
}

/** Who comes in here: everybody, or with a door of their own for operators, one sort of caller. */
export type Door = 'everybody' | 'merchants' | 'operators';

/** Everything the gateway answers at a door: its own endpoints, those it forwards, and nothing else. */
export function routes(app: Express, parts: Parts, door: Door): void {
  const all: Endpoint[] = [...endpoints, ...Object.values(callbacks)];
  const served = all.filter((endpoint) => isServed(endpoint, door));
  app.use(answerHeaders);
  for (const endpoint of served) if (endpoint.openToBrowsers) openToBrowsers(app, endpoint);
  app.use(bodyDeadline(parts.bodyTimeoutMs), refuseAmbiguous, parts.limits.byAddress);
  // First, because most requests are theirs and express tries one path after the other.
  for (const endpoint of served) if (endpoint.service !== 'gateway') forwardRoute(app, endpoint, parts);
  if (door !== 'operators') merchantRoutes(app, parts);
  if (door !== 'merchants') operatorRoutes(app, parts);

  for (const [path, methods] of Map.groupBy(served, ({ path }) => path)) {
    app.all(path, (_req, res) => {
      res.setHeader('Allow', methods.flatMap(allowed).join(', '));
      sendRefusal(res, new Refusal('method', 'METHOD_NOT_ALLOWED', 'the path does not take this method'));
    });
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
  adminRoutes(app, parts);
  auditRoutes(app, parts);
}

function forwardRoute(app: Express, endpoint: Endpoint, { authenticate, forward }: Parts): void {
  const { method, path, service, maxBodyBytes, alsoAs } = endpoint;
  app[method](path, async (req, res) => {
    const who = await callerOf(req, endpoint, authenticate);
    const body = await readWhole(req, maxBodyBytes);
    await forward(req, res, { service, who, body, isLong: alsoAs !== undefined });
  });
}

async function callerOf(req: Request, endpoint: Endpoint, authenticate: Authenticate): Promise<Identity> {
  if (endpoint.access.kind === 'merchant') {
    return { kind: 'merchant', ...(await authenticate.merchant(req, endpoint)) };
  }
  if (endpoint.access.kind === 'operator') {
    const { sub: operatorId, role } = await authenticate.operator(req, endpoint);
    return { kind: 'operator', operatorId, role };
  }
  return { kind: 'anonymous' };
}
