import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Language } from '../checkout/language.ts';
import { BUILT, type BuiltFile, type BuiltFiles } from '../http/built.ts';
import { type Manifest, readManifest, withImports } from '../http/manifest.ts';

/** A page's request; its path contains the environment. */
interface PageRequest {
  language: Language;
  path: string;
}

interface LogIn extends PageRequest {
  next: string | undefined;
  refused: string | undefined;
}

/** The exports of the built server part of the dashboard. */
interface Renderer {
  renderLogIn(request: LogIn): { title: string; body: string };
  /** Also returns the source of the page in the frame, if the sidebar links to it. */
  renderFrame(request: PageRequest): { body: string; page: string | undefined };
}

/** Addresses of other parts of the installation by the name of their `meta` element. Some may be unknown. */
type Addresses = Record<string, string | null | undefined>;

const ENTRY = 'dashboard/index.html';
const SCRIPT = 'dashboard/main.tsx';
const LOG_IN = 'dashboard/session/log-in.tsx';

/** Returns the dashboard's document, and the content that it shows until its script has loaded. */
export async function readDocuments(files: BuiltFiles, addresses: Addresses) {
  const renderer: Renderer = await import(join(BUILT, 'dashboard-server', 'server.mjs'));
  const manifest = await readManifest('dashboard');
  const built = files.get(ENTRY)?.plain.toString('utf8');
  if (built === undefined) throw new Error('the dashboard is not built');
  const document = withStyleFirst(built, fontOf(files)).replace(
    '</head>',
    () => `${metasOf(addresses)}</head>`,
  );
  const frames = new Map<string, BuiltFile>();

  const filled = ({ language, page, body }: { language: Language; page: string | undefined; body: string }) =>
    document
      .replace('<html lang="pt-BR">', `<html lang="${language}">`)
      .replace('</head>', () => `${preloadsOf(manifest, page)}</head>`)
      .replace('<div id="root"></div>', () => `<div id="root">${body}</div>`);

  return {
    /** For a browser without a session, which soon shows the log-in. */
    empty: packed(document.replace('</head>', () => `${preloadsOf(manifest)}</head>`)),
    logIn(request: LogIn): string {
      const { title, body } = renderer.renderLogIn(request);
      const html = filled({ ...request, page: LOG_IN, body });
      return html.replace('<title>Plataforma</title>', () => `<title>${title}</title>`);
    },
    /**
     * Returns the frame around a page. The cache stays small because a frame depends on the sidebar and not
     * on an account.
     */
    frame(request: PageRequest): BuiltFile {
      const html = filled({ ...request, ...renderer.renderFrame(request) });
      const frame = frames.get(html) ?? packed(html);
      frames.set(html, frame);
      return frame;
    },
  };
}

/**
 * Moves the style before the scripts, because the browser paints nothing without it. The font loads with low
 * priority.
 */
function withStyleFirst(html: string, font: string | undefined): string {
  const [style = ''] = /\n\s*<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
  const later = font
    ? `\n    <link rel="preload" as="font" type="font/woff2" crossorigin fetchpriority="low" href="/${font}">`
    : '';
  return html.replace(style, later).replace(/\n\s*<script/, (script) => style + script);
}

function fontOf(files: BuiltFiles): string | undefined {
  return [...files.keys()].find((path) => path.endsWith('.woff2'));
}

/** Needs no escape because the `href` of a URL contains no quotes. */
function metasOf(addresses: Addresses): string {
  const metas = Object.entries(addresses).map(([name, url]) => {
    if (!url) return '';
    return `<meta name="${name}" content="${new URL(url).href.replace(/\/$/, '')}">\n  `;
  });
  return metas.join('');
}

/**
 * Returns preloads of the files that the document's script would request only later: its own and those of its
 * page.
 */
function preloadsOf(manifest: Manifest, page?: string): string {
  const there = withImports(manifest, [ENTRY]);
  const added = withImports(manifest, page === undefined ? [SCRIPT] : [SCRIPT, page]);
  const files = [...added].flatMap((key) => (there.has(key) ? [] : (manifest[key]?.file ?? [])));
  return files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">\n  `).join('');
}

/** Compresses a document as the build compresses its files. */
function packed(html: string): BuiltFile {
  const plain = Buffer.from(html);
  const both = { br: brotliCompressSync(plain), gzip: gzipSync(plain) };
  return { type: 'text/html; charset=utf-8', plain, packed: both };
}
