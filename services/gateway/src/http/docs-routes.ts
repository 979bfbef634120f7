import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response, Router } from 'express';

/** A file of the page, under a name that changes with what is in it. */
interface Asset {
  path: string;
  type: 'text/css' | 'text/javascript';
  plain: Buffer;
  packed: Buffer;
}

interface Page {
  html: string;
  assets: ReadonlyMap<string, Asset>;
}

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** Nothing is fetched from anywhere but here, and what is typed into the page goes nowhere else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const compress = promisify(gzip);

/** The reference of the API for people: a page that shows `/openapi.json`, and all it needs. */
export function docsRoutes(router: Router): void {
  let page: Promise<Page> | undefined;
  // Read by who comes first, and held: the gateway starts without it.
  const held = () => {
    page ??= readPage().catch((error) => {
      page = undefined;
      throw error;
    });
    return page;
  };

  router.get('/docs', async (_req, res) => {
    const { html } = await held();
    res.set({
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Cache-Control': 'no-cache',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    res.type('text/html').send(html);
  });
  router.get('/docs/:asset', async (req, res, next) => {
    const { assets } = await held();
    const asset = assets.get(req.path);
    if (asset) sendAsset(req, res, asset);
    else next();
  });
}

function sendAsset(req: Request, res: Response, { type, plain, packed }: Asset): void {
  res.set({
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
  });
  const takesPacked = req.acceptsEncodings('gzip') === 'gzip';
  if (takesPacked) res.set('Content-Encoding', 'gzip');
  res.type(type).send(takesPacked ? packed : plain);
}

async function readPage(): Promise<Page> {
  const [style, script, start] = await Promise.all([
    assetOf('swagger-ui.css', await libraryFile('swagger-ui.css')),
    assetOf('swagger-ui.js', await libraryFile('swagger-ui-bundle.js')),
    assetOf('start.js', Buffer.from(START)),
  ]);
  return {
    html: htmlOf({ style: style.path, scripts: [script.path, start.path] }),
    assets: new Map([style, script, start].map((asset) => [asset.path, asset])),
  };
}

function libraryFile(name: string): Promise<Buffer> {
  return readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
}

async function assetOf(name: string, plain: Buffer): Promise<Asset> {
  const [stem, ending] = name.split('.');
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, 16);
  return {
    path: `/docs/${stem}.${hash}.${ending}`,
    type: ending === 'css' ? 'text/css' : 'text/javascript',
    plain,
    packed: await compress(plain),
  };
}

function htmlOf({ style, scripts }: { style: string; scripts: readonly string[] }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plataforma: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
</head>
<body>
<div id="reference"></div>
${scripts.map((script) => `<script src="${script}"></script>`).join('\n')}
</body>
</html>
`;
}
