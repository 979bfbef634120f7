import type { Endpoint } from '@plataforma/contracts';
import type { Express, RequestHandler } from 'express';

/** Answers hold somebody’s money: no cache keeps them, no browser guesses what they are or frames them. */
const HEADERS = new Map([
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
]);

export const answerHeaders: RequestHandler = (_req, res, next) => {
  res.setHeaders(HEADERS);
  next();
};

const PREFLIGHT_SECONDS = 24 * 60 * 60;

/** Lets the scripts of any web page read an endpoint (CORS), its refusals included; no other one. */
export function openToBrowsers(app: Express, { path, method }: Endpoint): void {
  app.all(path, (_req, res, next) => {
    res.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'X-Request-Id' });
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
