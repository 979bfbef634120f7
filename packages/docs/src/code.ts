import { createRequire } from 'node:module';

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => signs[sign] ?? sign);
}

/** The part of highlight.js in use: its own types bring those of browsers into every program that is checked with this one. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  registerAliases(aliases: string[], of: { languageName: string }): void;
  getLanguage(name: string): unknown;
  highlight(code: string, options: { language: string }): { value: string };
}

const LANGUAGES = ['bash', 'go', 'http', 'java', 'json', 'php', 'python', 'sql', 'typescript'];

const load = createRequire(import.meta.url);
const hljs: Highlighter = load('highlight.js/lib/core');
for (const name of LANGUAGES) hljs.registerLanguage(name, load(`highlight.js/lib/languages/${name}`));
hljs.registerAliases(['js', 'tsx'], { languageName: 'typescript' });

/** HTML of code with its parts marked by classes; as it is in a language that is not known. */
function highlighted(language: string, code: string): string {
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);
}

export interface Block {
  /** The name of its tab. */
  label: string;
  language: string;
  code: string;
}

/** Where `npm start` serves the API; in a browser the addresses of the installation take its place and the dashboard's. */
export const LOCAL_API = 'http://localhost:8080';

/** Code in one language, or the same in several as tabs; without a script all of them are shown. */
export function codeOf(blocks: readonly Block[]): string {
  const panels = blocks.map(panelOf).join('');
  return `<div class="code"${blocks.length > 1 ? ' data-tabs' : ''}>${panels}</div>`;
}

function panelOf({ label, language, code }: Block): string {
  const caption = label === '' ? '' : `<div class="caption">${escapeHtml(label)}</div>`;
  const lit = highlighted(language, code.trimEnd());
  return `<div class="panel" data-tab="${escapeHtml(label)}">${caption}<pre tabindex="0"><code>${lit}</code></pre></div>`;
}
