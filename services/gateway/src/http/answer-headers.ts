import type { Endpoint } from '@plataforma/contracts';
import type { Express } from 'express';

/** For an endpoint that the scripts of any web page may read (CORS), its refusals included. */
export const OPEN_TO_BROWSERS = new Map([
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'X-Request-Id'],
]);

const PREFLIGHT_SECONDS = 24 * 60 * 60;

/** Answers a browser that asks beforehand, and tells it too when it asked for a method there is not. */
export function openToBrowsers(app: Express, { path, method }: Endpoint): void {
  app.all(path, (_req, res, next) => {
    res.setHeaders(OPEN_TO_BROWSERS);
    next();
  });
  app.options(path, (_req, res) => {
    res.set({
      'Access-Control-Allow-Methods': method.toUpperCase(),
      'Access-Control-Allow-Headers': 'Content-Type, X-Request-Id',
      'Access-Control-Max-Age': `${PREFLIGHT_SECONDS}`,
    });
    res.status(204).end();
  });
}
