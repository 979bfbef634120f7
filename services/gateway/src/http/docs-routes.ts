import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { SITE } from '@plataforma/docs';
import type { SendFile } from '@plataforma/http';
import { Refusal } from '@plataforma/kernel';
import type { Request, Response, Router } from 'express';

/**
 * The policy lets pages load files of this origin only, and run only the site's own scripts. It forbids these
 * scripts to insert HTML.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const ENDINGS = { br: '.br', gzip: '.gz' } as const;
const ENCODINGS = ['br', 'gzip'] as const;

interface Given {
  sendFile: SendFile;
  folder?: string;
  webUrl?: string | undefined;
}

/**
 * Serves the docs site, without cookies, so that its scripts cannot act in a merchant's name. A file is in
 * memory only once, even if many slow readers download it.
 */
export function docsRoutes(router: Router, { sendFile, folder = SITE, webUrl }: Given): void {
  const readIfThere = fileReader(folder);
  const isThere = async (path: string) => (await readIfThere(path)) !== undefined;
  const send = async (req: Request, res: Response, path: string) => {
    // Brotli is preferred, because it is smaller than gzip, which browsers name first.
    const accepted = ENCODINGS.find((encoding) => req.acceptsEncodings(encoding) === encoding);
    const packed = accepted && (await readIfThere(path + ENDINGS[accepted]));
    const file = packed ?? (await readIfThere(path));
    if (!file) throw new Error(`${path} has gone`);
    res.set(HEADERS).vary('Accept-Encoding').type(typeOf(path));
    const headers = {
      'Cache-Control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'Last-Modified': new Date(file.changedAt).toUTCString(),
      ...(packed && { 'Content-Encoding': accepted }),
    };
    await sendFile(req, res, { bytes: file.bytes, headers });
  };

  router.get(['/docs', '/docs/'], (req, res) => lead(req, res, ''));
  router.get(['/llms.txt', '/llms-full.txt'], async (req, res) => {
    await requireBuilt(folder);
    await send(req, res, req.path.slice(1));
  });
  router.get('/docs/addresses.json', (_req, res) => {
    res.set(HEADERS).set('Cache-Control', 'no-cache').json({ web: webUrl });
  });
  /** Redirects a folder to its address with a slash, and a page without a language to a language. */
  async function canLead(req: Request, res: Response, path: string): Promise<boolean> {
    const isFolder = await isThere(`${path}/index.html`);
    if (isFolder) res.redirect(`/docs/${path}/`);
    else if (await isThere(`pt/${path.replace(/\/$/, '/index')}.html`)) lead(req, res, path);
    return res.headersSent;
  }

  router.get('/docs/{*path}', async (req, res, next) => {
    await requireBuilt(folder);
    const path = req.path.slice('/docs/'.length);
    const isPage = !/\.\w+$/.test(path);
    const name = path.endsWith('/') ? `${path}index.html` : isPage ? `${path}.html` : path;
    if (await isThere(name)) await send(req, res, name);
    else if (isPage && (await canLead(req, res, path))) return;
    else if (isPage && req.accepts(['json', 'html']) === 'html') {
      await send(req, res.status(404), `${/^(?:pt|en)(?=\/)/.exec(path)?.[0] ?? languageOf(req)}/404.html`);
    } else next();
  });
}

/**
 * Throws SERVICE_UNAVAILABLE until the site exists. `npm start` builds the site after it has started the
 * platform.
 */
async function requireBuilt(folder: string): Promise<void> {
  if (await isFile(join(folder, 'llms.txt'))) return;
  throw new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'the documentation is not built yet');
}

/**
 * Redirects a path without a language to the language that the reader's browser prefers. The default is
 * Portuguese.
 */
function lead(req: Request, res: Response, path: string): void {
  res.vary('Accept-Language').set('Cache-Control', 'no-cache');
  res.redirect(`/docs/${languageOf(req)}/${path}`);
}

const languageOf = (req: Request) => (req.acceptsLanguages('pt', 'en') === 'en' ? 'en' : 'pt');

/** The paths that are served. No part of a path begins with a dot, so no path leads out of the folder. */
const PLAIN = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

interface DocsFile {
  /** The time of the file's last change, in milliseconds since 1970. */
  changedAt: number;
  bytes: Buffer;
}

/**
 * Returns a reader that caches each file of the folder. Without the cache, each stalled download would hold
 * 128 KiB and a file descriptor.
 */
function fileReader(folder: string): (path: string) => Promise<DocsFile | undefined> {
  const files = new Map<string, DocsFile>();
  return async (path) => {
    if (!PLAIN.test(path)) return undefined;
    const found = await stat(join(folder, path)).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    const cached = files.get(path);
    if (cached?.changedAt === found.mtimeMs) return cached;
    const file = { changedAt: found.mtimeMs, bytes: await readFile(join(folder, path)) };
    files.set(path, file);
    return file;
  };
}

function typeOf(path: string): string {
  return path.endsWith('.md') ? 'text/markdown; charset=utf-8' : extname(path);
}
