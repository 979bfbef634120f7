import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Language } from '../checkout/language.ts';
import { BUILT, type BuiltFile, type BuiltFiles } from '../http/built.ts';
import { type Manifest, readManifest, withImports } from '../http/manifest.ts';
import { cookieName, readCookie } from '../http/read-cookie.ts';

/** The request for a page. Its path says which environment the page shows. */
interface PageRequest {
  language: Language;
  theme: Theme;
  path: string;
}

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** Returns the theme that the user chose on an earlier page. The checkout does not offer a theme. */
export function themeOf(req: IncomingMessage, isSecure: boolean): Theme {
  return themes.find((each) => each === readCookie(req, cookieName('theme', isSecure))) ?? 'auto';
}

interface LogIn extends PageRequest {
  next: string | undefined;
  refused: string | undefined;
}

/** The exports of the dashboard's server build. */
interface Renderer {
  renderLogIn(request: LogIn): { title: string; body: string };
  /**
   * Returns the HTML of the frame. `page` is the source file of the page in the frame, if the sidebar links
   * to that page.
   */
  renderFrame(request: PageRequest): { body: string; page: string | undefined };
  isPage(path: string): boolean;
}

/**
 * Addresses of other parts of the installation, each under the name of its `meta` element. An address may be
 * unknown.
 */
type Addresses = Record<string, string | null | undefined>;

const ENTRY = 'dashboard/index.html';
const SCRIPT = 'dashboard/main.tsx';
const LOG_IN = 'dashboard/session/log-in.tsx';

/** Returns the dashboard's document with the HTML that the browser shows until the script has loaded. */
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

  const filled = ({
    language,
    theme,
    page,
    body,
  }: Omit<PageRequest, 'path'> & { page: string | undefined; body: string }) =>
    document
      .replace(
        '<html lang="pt-BR">',
        `<html lang="${language}"${theme === 'auto' ? '' : ` data-theme="${theme}"`}>`,
      )
      .replace('</head>', () => `${preloadsOf(manifest, page)}</head>`)
      .replace('<div id="root"></div>', () => `<div id="root">${body}</div>`);

  const emptyIn = (theme: Theme) => packed(filled({ language: 'pt-BR', theme, page: undefined, body: '' }));
  const empty = { auto: emptyIn('auto'), light: emptyIn('light'), dark: emptyIn('dark') };

  return {
    isPage: renderer.isPage,
    /** Returns the document without content, for a browser without a session. Its script soon shows the log-in. */
    empty: (theme: Theme) => empty[theme],
    logIn(request: LogIn): string {
      const { title, body } = renderer.renderLogIn(request);
      const html = filled({ ...request, page: LOG_IN, body });
      return html.replace('<title>Plataforma</title>', () => `<title>${title}</title>`);
    },
    /**
     * Returns the compressed frame around a page. The cache of frames stays small, because a frame does not
     * depend on the account.
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
 * Moves the style before the scripts, because the browser paints nothing without the style. The font loads
 * with low priority.
 */
function withStyleFirst(html: string, font: string | undefined): string {
  const [style = ''] = /\n\s*<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
  const later = font
    ? `\n    <link rel="preload" as="font" type="font/woff2" crossorigin fetchpriority="low" href="/${font}">`
    : '';
  return html.replace(style, later).replace(/\n\s*<script/, (script) => style + script);
}

/** Returns the path of the built typeface. */
export function fontOf(files: BuiltFiles): string | undefined {
  return [...files.keys()].find((path) => path.endsWith('.woff2'));
}

/**
 * Returns one `meta` element for each address. An address needs no escaping, because the `href` of a URL
 * contains no quotes.
 */
function metasOf(addresses: Addresses): string {
  const metas = Object.entries(addresses).map(([name, url]) => {
    if (!url) return '';
    return `<meta name="${name}" content="${new URL(url).href.replace(/\/$/, '')}">\n  `;
  });
  return metas.join('');
}

/**
 * Preloads the scripts of the application and of the page. Otherwise the browser would request them only
 * after the first script.
 */
function preloadsOf(manifest: Manifest, page?: string): string {
  const there = withImports(manifest, [ENTRY]);
  const added = withImports(manifest, page === undefined ? [SCRIPT] : [SCRIPT, page]);
  const files = [...added].flatMap((key) => (there.has(key) ? [] : (manifest[key]?.file ?? [])));
  return files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">\n  `).join('');
}

/** Compresses a document with brotli and gzip, like the built files. */
function packed(html: string): BuiltFile {
  const plain = Buffer.from(html);
  const both = { br: brotliCompressSync(plain), gzip: gzipSync(plain) };
  return { type: 'text/html; charset=utf-8', plain, packed: both };
}
