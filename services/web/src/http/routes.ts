import type { Express } from 'express';
import type { WebParts } from '../parts.ts';
import { HTTPS_ONLY, SAFE_HEADERS } from './policy.ts';
import { dashboardRoutes } from './static-routes.ts';

/** All that browsers ask of this service, in the order in which it is looked for. */
export function routes(app: Express, parts: WebParts): void {
  app.use((_req, res, next) => {
    res.setHeaders(SAFE_HEADERS);
    if (parts.isSecure) res.set('Strict-Transport-Security', HTTPS_ONLY);
    next();
  });
  dashboardRoutes(app, parts.dashboard);
}
