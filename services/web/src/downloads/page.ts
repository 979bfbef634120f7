import { createHash } from 'node:crypto';
import type { Language } from '../checkout/language.ts';
import { escaped } from '../checkout/preview.ts';
import { policyOf } from '../http/policy.ts';
import type { Tarball } from './files.ts';
import { type Kind, kinds, words } from './words.ts';

const STYLE = (font: string) => `:root{color-scheme:light dark}
@font-face{font-family:"Inter Variable";font-weight:100 900;font-display:swap;
src:url(/${font}) format("woff2")}
*{box-sizing:border-box}
body{margin:0 auto;padding:48px 16px;max-width:880px;
font:16px/1.5 "Inter Variable",system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
color:light-dark(#161a22,#eceff4);background:light-dark(#f6f8fa,#0a0d13)}
h1{margin:0 0 8px;font-size:30px;line-height:1.2;letter-spacing:-.02em}
h2{margin:0;font-size:18px;line-height:1.35}
p{margin:4px 0}p,dt,dd{color:light-dark(#535d6e,#a3adbb)}
.lead{margin:0 0 24px;font-size:18px;text-wrap:pretty}
section{margin:16px 0;padding:20px;border:1px solid light-dark(#dfe4ec,#2a303b);border-radius:10px;
background:light-dark(#fff,#14181f)}
pre{margin:16px 0;padding:14px 16px;overflow-x:auto;
border:1px solid light-dark(#dfe4ec,#2a303b);border-radius:8px;
color:light-dark(#161a22,#eceff4);background:light-dark(#f6f8fb,#0f131a);
font:13px/1.65 ui-monospace,"SF Mono",Menlo,Consolas,monospace}
pre code,dd code{font:inherit}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:2px 16px;margin:0;font-size:13px}
dd{margin:0}dd code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace}
dt,.name{white-space:nowrap}
@media (max-width:560px){body{padding-top:32px}section{padding:16px}dl{display:block}dt{margin-top:6px}}
a{color:light-dark(#4f3fd9,#9d8ff7);text-underline-offset:2px}
:is(a,pre):focus-visible{outline:2px solid light-dark(#2f6fed,#7aa7ff);outline-offset:2px}`;

export const downloadsPolicy = (font: string) =>
  policyOf({
    'style-src': `'sha256-${createHash('sha256').update(STYLE(font)).digest('base64')}'`,
    'font-src': "'self'",
    'img-src': 'data:',
  });

interface Page {
  language: Language;
  /** The URL of the downloads, which ends with a slash. */
  address: string;
  /** The path of the font that the dashboard uses. */
  font: string;
  hasDocs: boolean;
  tarballs: readonly Tarball[];
  checksums: string;
}

/** Returns the page that lists the packages with their install commands. The page has no script. */
export function downloadsPage({ language, tarballs, checksums, ...page }: Page): string {
  const { lead, sums, other } = words[language];
  const sections = kinds.flatMap((kind) =>
    tarballs
      .filter(({ name }) => name.startsWith(`plataforma-${kind}-`))
      .map((tarball) => section(kind, tarball, { ...page, language, checksums })),
  );
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Downloads · Plataforma</title>
<link rel="icon" href="data:,">
<style>${STYLE(page.font)}</style>
</head>
<body>
<main>
<h1>Downloads</h1>
<p class="lead">${lead}</p>
${sections.join('\n')}
<p><a href="${checksums}">${sums}</a> ·
<a href="?lang=${other.language}" lang="${other.language}" hreflang="${other.language}">${other.name}</a></p>
</main>
</body>
</html>
`;
}

function section(kind: Kind, { name, bytes, sha256 }: Tarball, page: Omit<Page, 'tarballs'>): string {
  const { packages, guide } = words[page.language];
  const { title, text } = packages[kind];
  const kB = new Intl.NumberFormat(page.language, { maximumFractionDigits: 1 }).format(bytes.length / 1000);
  const toGuide = ` <a href="/docs/${page.language === 'en' ? 'en' : 'pt'}/${kind}">${guide}</a>`;
  return `<section aria-labelledby="${kind}">
<h2 id="${kind}">${title}</h2>
<p>${text}${page.hasDocs ? toGuide : ''}</p>
<pre tabindex="0"><code>${escaped(commands(kind, name, page))}</code></pre>
<dl>
<dt><a class="name" href="${escaped(name)}" download>${escaped(name)}</a></dt>
<dd>${kB} kB</dd>
<dt>SHA-256</dt>
<dd><code>${sha256.replace(/.{16}(?=.)/g, '$&<wbr>')}</code></dd>
</dl>
</section>`;
}

function commands(kind: Kind, name: string, { address, checksums }: Omit<Page, 'tarballs'>): string {
  // A project depends on the SDK, so it is installed locally. The other packages are commands for a terminal,
  // so they are installed globally.
  return `curl -fsSO ${address}${name} &&
curl -fsS ${address}${checksums} | sha256sum --check --ignore-missing &&
npm install ${kind === 'sdk' ? '' : '-g '}./${name}`;
}
