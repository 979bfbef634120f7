import { escapeHtml } from './escape.ts';
import { highlighted } from './highlight.ts';

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
