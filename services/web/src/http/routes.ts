import { limitBodyTime, refuseAmbiguous, refuseContradictory } from '@plataforma/http';
import express, { type Express, type Router } from 'express';
import type { WebConfig } from '../config.ts';
import type { WebDependencies } from '../dependencies.ts';
import { downloadRoutes } from '../downloads/routes.ts';
import { checkoutRoutes } from './checkout-routes.ts';
import { forwardRoutes, timeoutFactorFor } from './forward-routes.ts';
import { isLinkForm } from './link-routes.ts';
import { SAFE_HEADERS } from './policy.ts';
import { policyReportRoutes } from './policy-reports.ts';
import { refuseForged } from './refuse-forged.ts';
import { isLoginForm, sessionRoutes } from './session-routes.ts';
import { dashboardRoutes } from './static-routes.ts';
import { streamRoutes } from './stream-routes.ts';

const BODY_TIMEOUT_MS = 10_000;

/** Mounts all routes in the order in which Express matches them. */
export function routes(app: Express, dependencies: WebDependencies): void {
  app.use((_req, res, next) => {
    res.setHeaders(SAFE_HEADERS);
    next();
  });
  const origins = originsOf(dependencies.config);
  app.use(['/api', '/pay'], (_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  app.use(['/api', '/pay'], (req, res, next) => {
    limitBodyTime(req, res, BODY_TIMEOUT_MS * timeoutFactorFor(req));
    refuseAmbiguous(req, res);
    refuseContradictory(req, res, false);
    next();
  });
  policyReportRoutes(app, { ...dependencies, perMinute: dependencies.config.POLICY_REPORTS_PER_MINUTE });
  app.use(refuseForged({ origins, takesForms: (req) => isLoginForm(req) || isLinkForm(req) }));
  docsRoutes(app, dependencies.config);
  const { PAGES, DASHBOARD_HOST, CHECKOUT_HOST } = dependencies.config;
  if (PAGES.includes('checkout')) {
    checkoutRoutes(mounted(app, CHECKOUT_HOST), dependencies);
  }
  if (!PAGES.includes('dashboard')) return;
  const dashboard = mounted(app, DASHBOARD_HOST);
  sessionRoutes(dashboard, dependencies);
  streamRoutes(dashboard, dependencies);
  forwardRoutes(dashboard, dependencies);
  downloadRoutes(dashboard, dependencies);
  dashboardRoutes(dashboard, dependencies);
}

/**
 * Redirects the docs to the address of the API. That origin has no session cookie, so the scripts of the docs
 * can't use a session.
 */
function docsRoutes(app: Express, { PUBLIC_API_URL }: WebConfig): void {
  if (PUBLIC_API_URL === undefined) return;
  const docs = PUBLIC_API_URL.replace(/\/+$/, '');
  app.get(['/docs', '/docs/{*path}', '/llms.txt', '/llms-full.txt'], (req, res) =>
    res.redirect(`${docs}${req.path}`),
  );
}

/** Mounts a router for one host name, or for every host name. */
function mounted(app: Express, host: string | undefined): Router {
  const router = express.Router({ caseSensitive: true });
  app.use((req, res, next) =>
    host === undefined || req.hostname === host ? router(req, res, next) : next(),
  );
  return router;
}

function originsOf({ PUBLIC_URL, CHECKOUT_HOST }: WebConfig): string[] {
  const checkout = new URL(PUBLIC_URL);
  if (CHECKOUT_HOST !== undefined) checkout.hostname = CHECKOUT_HOST;
  return [new URL(PUBLIC_URL).origin, checkout.origin];
}
