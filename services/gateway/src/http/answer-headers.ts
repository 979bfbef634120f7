import type { Endpoint } from '@plataforma/contracts';
import type { Express } from 'express';

/**
 * The CORS headers of all responses, errors included, of an endpoint that scripts of any web page may read.
 */
export const OPEN_TO_BROWSERS = new Map([
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'X-Request-Id'],
]);

const PREFLIGHT_SECONDS = 24 * 60 * 60;

/**
 * Answers CORS preflights of an endpoint. Sets the CORS headers for every method, so that a script can also
 * read the error for a wrong method.
 */
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
