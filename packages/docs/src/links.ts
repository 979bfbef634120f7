import type { Token } from 'markdown-it';
import { addressOf, type Language } from './model.ts';

/** Replaces the links of a guide, which are file paths for GitHub, by addresses of the docs site. */
export function rewriteLinks(tokens: readonly Token[], language: Language): void {
  for (const { children } of tokens) rewriteIn(children ?? [], language);
}

function rewriteIn(children: readonly Token[], language: Language): void {
  let document = '';
  for (const part of children) {
    const href = part.type === 'link_open' ? String(part.attrGet('href') ?? '') : '';
    // A link to a document that is not on the docs site becomes plain text with the path of that document.
    if (href.startsWith('../../')) {
      document = `docs/${href.slice('../../'.length)}`;
      becomeText(part, '');
    } else if (part.type === 'link_close' && document !== '') {
      becomeText(part, ` (${document})`);
      document = '';
    } else if (part.type === 'link_open') {
      part.attrSet('href', hrefOf(href, language));
    }
  }
}

function becomeText(part: Token, content: string): void {
  Object.assign(part, { type: 'text', tag: '', nesting: 0, content });
}

/**
 * Returns the address of a link on the docs site. `webhooks.md#x` is a guide in the same language, and
 * `/docs/…` is a page in the same language.
 */
function hrefOf(href: string, language: Language): string {
  const guide = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href);
  if (guide) return addressOf(language, `${guide[1]}${guide[2] ?? ''}`);
  const other = /^\.\.\/(pt|en)\/([\w-]+)\.md(#.*)?$/.exec(href);
  if (other) return `/docs/${other[1]}/${other[2]}${other[3] ?? ''}`;
  const own = /^\/docs\/(?!(?:pt|en)\/)(.*)$/.exec(href);
  return own ? addressOf(language, own[1] ?? '') : href;
}
