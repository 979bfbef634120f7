import type { Request, Response, Router } from 'express';
import type { BuiltFile } from './built.ts';
import { DASHBOARD_DEVICES, DASHBOARD_POLICY } from './policy.ts';

const FOR_GOOD = 'public, max-age=31536000, immutable';

/** Files whose names change with their content. */
export function assetRoutes(router: Router, prefix: string, files: ReadonlyMap<string, BuiltFile>): void {
  router.get(`${prefix}/assets/:name`, (req, res, next) => {
    const file = files.get(`assets/${req.params.name}`);
    if (!file) return next();
    res.set('Cache-Control', FOR_GOOD);
    sendFile(req, res, file);
  });
}

/** The dashboard's one document at every path that nothing else answers: the page itself knows its places. */
export function dashboardRoutes(router: Router, files: ReadonlyMap<string, BuiltFile>): void {
  const page = files.get('dashboard/index.html');
  if (!page) throw new Error('the dashboard is not built');
  assetRoutes(router, '', files);
  router.get('/{*path}', (req, res, next) => {
    if (isNoPage(req.path)) return next();
    res.set({
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': DASHBOARD_POLICY,
      'Permissions-Policy': DASHBOARD_DEVICES,
    });
    sendFile(req, res, page);
  });
}

/** A file or an answer that is not there is a plain 404, and no page. */
function isNoPage(path: string): boolean {
  return /^\/(?:api|assets|pay)(?:\/|$)/.test(path) || /\.\w+$/.test(path);
}

function sendFile(req: Request, res: Response, { type, plain, packed }: BuiltFile): void {
  res.set('Vary', 'Accept-Encoding');
  res.type(type);
  const accepted = req.acceptsEncodings('br', 'gzip');
  const body = accepted === 'br' || accepted === 'gzip' ? packed[accepted] : null;
  if (body && accepted) res.set('Content-Encoding', accepted);
  res.send(body ?? plain);
}
