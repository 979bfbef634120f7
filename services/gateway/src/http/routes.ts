import { type Identity, sendRefusal } from '@plataforma/chassis';
import { api, callbacks, type Endpoint, endpoints, openApiDocument } from '@plataforma/contracts';
import { Refusal } from '@plataforma/kernel';
import type { Express, Request } from 'express';
import { type AccountParts, accountRoutes } from './account-routes.ts';
import { adminRoutes } from './admin-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import type { Authenticate } from './authenticate.ts';
import { docsRoutes } from './docs-routes.ts';
import type { Forward } from './proxy.ts';
import { refuseAmbiguous } from './refuse-ambiguous.ts';

interface Parts extends AccountParts {
  authenticate: Authenticate;
  forward: Forward;
}

/** Everything the gateway answers: its own endpoints, those it forwards, and nothing else. */
export function routes(app: Express, parts: Parts): void {
  app.use(refuseAmbiguous);
  const document = JSON.stringify(openApiDocument(api));
  app.get('/openapi.json', (_req, res) => void res.type('application/json').send(document));
  docsRoutes(app);
  accountRoutes(app, parts);
  adminRoutes(app, parts);
  auditRoutes(app, parts);

  const all = [...endpoints, ...Object.values(callbacks)];
  for (const endpoint of all) if (endpoint.service !== 'gateway') forwardRoute(app, endpoint, parts);
  for (const [path, methods] of Map.groupBy(all, ({ path }) => path)) {
    app.all(path, (_req, res) => {
      res.setHeader('Allow', methods.map(({ method }) => method.toUpperCase()).join(', '));
      sendRefusal(res, new Refusal('method', 'METHOD_NOT_ALLOWED', 'the path does not take this method'));
    });
  }
}

function forwardRoute(app: Express, endpoint: Endpoint, { authenticate, forward }: Parts): void {
  app[endpoint.method](endpoint.path, async (req, res) => {
    await forward(endpoint.service, await callerOf(req, endpoint, authenticate))(req, res);
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
