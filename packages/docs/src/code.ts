import { createRequire } from 'node:module';

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => signs[sign] ?? sign);
}

/**
 * The functions of highlight.js that this file uses. The library's own types are not used, because they would
 * add browser types to every program that imports this file.
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

/** Returns the HTML of highlighted code. If the language is unknown, the code is only escaped. */
function highlighted(language: string, code: string): string {
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);
}

export interface Block {
  /** The label of the code's tab. */
  label: string;
  language: string;
  code: string;
}

/**
 * The API's URL after `npm start`. In a browser, a script replaces this URL and the dashboard's URL by those
 * of the installation.
 */
export const LOCAL_API = 'http://localhost:8080';

/**
 * Returns the HTML of code blocks, with a tab for each block if there are several. If scripts are disabled,
 * the page shows all blocks.
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
