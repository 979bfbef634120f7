import { createRequire } from 'node:module';

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => signs[sign] ?? sign);
}

/**
 * The used part of highlight.js. Its own types would add browser types to every program that imports this
 * file.
 */
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

/** Returns HTML of code with classes. Code in an unknown language is only escaped. */
function highlighted(language: string, code: string): string {
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);
}

export interface Block {
  /** The label of its tab. */
  label: string;
  language: string;
  code: string;
}

/**
 * The API's address under `npm start`. In a browser the installation's addresses replace it and the
 * dashboard's.
 */
export const LOCAL_API = 'http://localhost:8080';

/**
 * Returns the HTML of code, with a tab for each of several languages. Without a script all of them are
 * visible.
 */
export function codeOf(blocks: readonly Block[]): string {
  const panels = blocks.map(panelOf).join('');
  return `<div class="code"${blocks.length > 1 ? ' data-tabs' : ''}>${panels}</div>`;
}

function panelOf({ label, language, code }: Block): string {
  const caption = label === '' ? '' : `<div class="caption">${escapeHtml(label)}</div>`;
  const lit = highlighted(language, code.trimEnd());
  return `<div class="panel" data-tab="${escapeHtml(label)}">${caption}<pre tabindex="0"><code>${lit}</code></pre></div>`;
}
