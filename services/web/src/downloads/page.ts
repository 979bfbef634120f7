import { createHash } from 'node:crypto';
import type { Language } from '../checkout/language.ts';
import { escaped } from '../checkout/preview.ts';
import { policyOf } from '../http/policy.ts';
import type { Tarball } from './files.ts';

const words = {
  'pt-BR': {
    title: 'Downloads',
    lead: 'Cada arquivo é um pacote do npm, sem dependências. Baixe, confira o hash SHA-256 e instale:',
    packages: 'Pacotes',
    size: 'Tamanho',
    sums: 'Todos os hashes',
    other: { language: 'en', name: 'English' },
  },
  en: {
    title: 'To install',
    lead: 'Each file is a package for npm, without dependencies. Download it, check its SHA-256 and install it:',
    packages: 'Packages',
    size: 'Size',
    sums: 'All checksums',
    other: { language: 'pt-BR', name: 'Português' },
  },
} as const;

const STYLE = `:root{color-scheme:light dark}
body{margin:0 auto;padding:24px 16px;max-width:760px;font:16px/1.5 system-ui,sans-serif;color:light-dark(#161a22,#eceff4);background:light-dark(#f6f8fa,#0a0d13)}
h1{font-size:28px;line-height:1.2}h2{font-size:20px}
pre,li{padding:12px 16px;border:1px solid light-dark(#dfe4ec,#2a303b);border-radius:10px;background:light-dark(#fff,#14181f)}
pre{white-space:pre-wrap;overflow-wrap:anywhere}code{font:14px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
ul{padding:0;list-style:none}li{margin:8px 0}li p{margin:4px 0}
a{color:light-dark(#4f3fd9,#9d8ff7)}a:focus-visible{outline:2px solid light-dark(#2f6fed,#7aa7ff);outline-offset:2px}`;

export const DOWNLOADS_POLICY = policyOf({
  'style-src': `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src': 'data:',
});

interface Page {
  language: Language;
  /** With a slash at its end. */
  address: string;
  tarballs: readonly Tarball[];
  checksums: string;
}

/** What there is to install, and how; no script. */
export function downloadsPage({ language, address, tarballs, checksums }: Page): string {
  const { title, lead, packages, size, sums, other } = words[language];
  const kB = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const items = tarballs.map(
    ({ name, bytes, sha256 }) => `<li>
<p><a href="${escaped(name)}" download>${escaped(name)}</a></p>
<p>${size}: ${kB.format(bytes.length / 1000)} kB</p>
<p>SHA-256: <code>${sha256}</code></p>
${commands(name, { address, checksums })}
</li>`,
  );
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${lead}</p>
<h2>${packages}</h2>
<ul>
${items.join('\n')}
</ul>
<p><a href="${checksums}">${sums}</a> · <a href="?lang=${other.language}" lang="${other.language}" hreflang="${other.language}">${other.name}</a></p>
</main>
</body>
</html>
`;
}

/** What is called by its name in a terminal; the others belong to a project. */
const PROGRAM = /^plataforma-(?:cli|mcp)-/;

function commands(name: string, { address, checksums }: Pick<Page, 'address' | 'checksums'>): string {
  return `<pre><code>${escaped(`curl -fsSO ${address}${name} &&
curl -fsS ${address}${checksums} | sha256sum --check --ignore-missing &&
npm install ${PROGRAM.test(name) ? '-g ' : ''}./${name}`)}</code></pre>`;
}
