import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import { languageOf } from '../checkout/language.ts';
import type { WebParts } from '../parts.ts';
import type { Assets } from './assets.ts';
import type { BuiltFile } from './built.ts';
import { DASHBOARD_DEVICES, DASHBOARD_POLICY } from './policy.ts';

const FOR_GOOD = 'public, max-age=31536000, immutable';

/** Files whose names change with their content. */
export function assetRoutes(router: Router, prefix: string, assets: Assets): void {
  router.get(`${prefix}/assets/:name`, (req, res, next) => {
    const file = assets(`assets/${req.params.name}`);
    if (!file) return next();
    res.set('Cache-Control', FOR_GOOD);
    sendFile(req, res, file);
  });
}

/** Where other parts of the installation are, by the name of the `meta` that says so; some may be unknown. */
type Addresses = Record<string, string | null | undefined>;

/** The dashboard's one document at every path that nothing else answers: the page itself knows its places. */
export function dashboardRoutes(
  router: Router,
  { files, assets, logIn }: WebParts['dashboard'],
  addresses: Addresses,
): void {
  const built = files.get('dashboard/index.html');
  if (!built) throw new Error('the dashboard is not built');
  const page = withAddresses(built, addresses);
  assetRoutes(router, '', assets);
  router.get(['/login', '/test/login'], (req, res) => {
    const { next, refused } = searchOf.parse(req.query);
    const html = logIn(page.plain.toString('utf8'), {
      language: languageOf(req),
      path: req.path,
      next,
      refused,
    });
    res.set(OF_A_PAGE).vary('Accept-Language').type('text/html').send(html);
  });
  router.get('/{*path}', (req, res, next) => {
    if (isNoPage(req.path)) return next();
    res.set(OF_A_PAGE);
    sendFile(req, res, page);
  });
}

/** What is there more than once, or is no text, is not there. */
const searchText = z.string().optional().catch(undefined);
const searchOf = z.object({ next: searchText, refused: searchText });

const OF_A_PAGE = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': DASHBOARD_POLICY,
  'Permissions-Policy': DASHBOARD_DEVICES,
};

/** The document with what only settings know; it is so small that it is not packed anew. A URL's `href` has no quotes. */
function withAddresses({ type, plain }: BuiltFile, addresses: Addresses): BuiltFile {
  const metas = Object.entries(addresses).map(([name, url]) => {
    if (!url) return '';
    return `<meta name="${name}" content="${new URL(url).href.replace(/\/$/, '')}">\n  `;
  });
  const text = plain.toString('utf8').replace('</head>', () => `${metas.join('')}</head>`);
  return { type, plain: Buffer.from(text), packed: { br: null, gzip: null } };
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
