import { limitBodyTime, refuseAmbiguous, refuseContradictory } from '@plataforma/http';
import type { Express } from 'express';
import type { WebParts } from '../parts.ts';
import { forwardRoutes } from './forward-routes.ts';
import { HTTPS_ONLY, SAFE_HEADERS } from './policy.ts';
import { refuseForged } from './refuse-forged.ts';
import { isLoginForm, sessionRoutes } from './session-routes.ts';
import { dashboardRoutes } from './static-routes.ts';

const BODY_TIMEOUT_MS = 10_000;

/** All that browsers ask of this service, in the order in which it is looked for. */
export function routes(app: Express, parts: WebParts): void {
  app.use((_req, res, next) => {
    res.setHeaders(SAFE_HEADERS);
    if (parts.isSecure) res.set('Strict-Transport-Security', HTTPS_ONLY);
    next();
  });
  const origins = [new URL(parts.config.PUBLIC_URL).origin];
  app.use('/api', (req, res, next) => {
    res.set('Cache-Control', 'no-store');
    limitBodyTime(req, res, BODY_TIMEOUT_MS);
    refuseAmbiguous(req, res);
    refuseContradictory(req, res, false);
    next();
  });
  app.use(refuseForged({ origins, takesForms: isLoginForm }));
  sessionRoutes(app, parts);
  forwardRoutes(app, parts);
  dashboardRoutes(app, parts.dashboard);
}
