import type { SendFile } from '@plataforma/http';
import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import { languageOf } from '../checkout/language.ts';
import { themeOf } from '../dashboard/documents.ts';
import type { WebDependencies } from '../dependencies.ts';
import type { Assets } from './assets.ts';
import type { BuiltFile } from './built.ts';
import { DASHBOARD_DEVICES, DASHBOARD_POLICY } from './policy.ts';

export const FOR_GOOD = 'public, max-age=31536000, immutable';

export function assetRoutes(
  router: Router,
  prefix: string,
  { assets, sendFile }: { assets: Assets; sendFile: SendFile },
): void {
  router.get(`${prefix}/assets/:name`, async (req, res, next) => {
    const file = assets(`assets/${req.params.name}`);
    if (!file) return next();
    const { bytes, headers } = packedFor(req, res, file);
    await sendFile(req, res, { bytes, headers: { ...headers, 'Cache-Control': FOR_GOOD } });
  });
}

/**
 * Serves the dashboard's single document at every other path. The document's script selects the page by the
 * path.
 */
export function dashboardRoutes(
  router: Router,
  { dashboard: { assets, documents }, sessions, isSecure, sendFile }: WebDependencies,
): void {
  assetRoutes(router, '', { assets, sendFile });
  router.get(['/login', '/test/login'], (req, res) => {
    const { next, refused } = searchOf.parse(req.query);
    const html = documents.logIn({
      language: languageOf(req),
      theme: themeOf(req, isSecure),
      path: req.path,
      next,
      refused,
    });
    res.set(OF_A_PAGE).vary('Accept-Language, Cookie').type('text/html').send(html);
  });
  router.get('/{*path}', async (req, res, next) => {
    if (isNoPage(req.path)) return next();
    const { path } = req;
    const isFramed = !WITHOUT_FRAME.test(path) && sessions.find(req) !== undefined;
    res.set(OF_A_PAGE).vary('Accept-Language, Cookie');
    if (!documents.isPage(path)) res.status(404);
    const theme = themeOf(req, isSecure);
    const file = isFramed
      ? documents.frame({ language: languageOf(req), theme, path })
      : documents.empty(theme);
    await sendFile(req, res, packedFor(req, res, file));
  });
}

/** The paths of the registration page, which needs no session. */
const WITHOUT_FRAME = /^(?:\/test)?\/register\/?$/;

/** A parameter that is repeated or not text counts as absent. */
const searchText = z.string().optional().catch(undefined);
const searchOf = z.object({ next: searchText, refused: searchText });

const OF_A_PAGE = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': DASHBOARD_POLICY,
  'Permissions-Policy': DASHBOARD_DEVICES,
};

/**
 * Returns whether the path belongs to a file or an API. If the file or the endpoint does not exist, the
 * answer is a plain 404 and not the dashboard's document.
 */
function isNoPage(path: string): boolean {
  return /^\/(?:api|assets|downloads|pay)(?:\/|$)/.test(path) || /\.\w+$/.test(path);
}

function packedFor(req: Request, res: Response, { type, plain, packed }: BuiltFile) {
  res.vary('Accept-Encoding');
  res.type(type);
  // Browsers list gzip first, but brotli is smaller.
  const accepted = (['br', 'gzip'] as const).find((encoding) => req.acceptsEncodings(encoding) === encoding);
  const body = accepted && packed[accepted];
  return body ? { bytes: body, headers: { 'Content-Encoding': accepted } } : { bytes: plain, headers: {} };
}
