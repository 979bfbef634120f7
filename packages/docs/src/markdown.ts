import MarkdownIt, { type Token } from 'markdown-it';
import { blocksIn, groupCode, markNotes, type Samples } from './blocks.ts';
import { codeOf } from './code.ts';
import { rewriteLinks } from './links.ts';
import type { Heading, Language } from './model.ts';

export interface Rendered {
  html: string;
  headings: Heading[];
  /** The text below each heading, for the search index. The text before the first heading has an empty id. */
  sections: { id: string; title: string; text: string }[];
}

const md = new MarkdownIt({ html: false, linkify: false, typographer: false });
md.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>';
md.renderer.rules.table_close = () => '</table></div>';
md.renderer.rules.code_group = (tokens, index) => codeOf(blocksIn(tokens[index]));

export function renderGuide(text: string, language: Language, samples: Samples): Rendered {
  const tokens = groupCode(md.parse(text, {}), samples);
  rewriteLinks(tokens, language);
  const headings = nameHeadings(tokens);
  markNotes(tokens, language);
  dropEmptyHeads(tokens);
  return { html: md.renderer.render(tokens, md.options, {}), headings, sections: sectionsOf(tokens) };
}

/**
 * Renders a description from the OpenAPI document as HTML. Names of fields and codes become code, and a long
 * text is split into paragraphs.
 */
export function renderText(text: string | undefined): string {
  return text === undefined ? '' : md.render(inParagraphs(withCode(text)));
}

export function renderInline(text: string | undefined): string {
  return text === undefined ? '' : md.renderInline(withCode(text));
}

/**
 * Matches codes such as `CARD_DECLINED` and fields such as `externalId`. Also matches text that is marked as
 * code already, so that this text stays unchanged.
 */
const NAMES = /`[^`]*`|(?<![\w./-])(?:[A-Z]{3,}(?:_[A-Z]+)+|[a-z]+[A-Z][A-Za-z]*)(?![\w/-]|\.\w)/g;

function withCode(text: string): string {
  return text.replace(NAMES, (name) => (name.startsWith('`') ? name : `\`${name}\``));
}

const PARAGRAPH = 220;

function inParagraphs(text: string): string {
  if (text.includes('\n')) return text;
  const paragraphs: string[] = [];
  let current = '';
  for (const sentence of text.split(/(?<=[.!?]) (?=[\p{Lu}`])/u)) {
    current = current === '' ? sentence : `${current} ${sentence}`;
    if (current.length < PARAGRAPH) continue;
    paragraphs.push(current);
    current = '';
  }
  return [...paragraphs, current].join('\n\n').trim();
}

/** Replaces an empty header cell of a table by an ordinary cell. */
function dropEmptyHeads(tokens: readonly Token[]): void {
  tokens.forEach((token, index) => {
    const end = tokens[index + 2];
    if (token.type !== 'th_open' || tokens[index + 1]?.content !== '' || !end) return;
    token.tag = 'td';
    end.tag = 'td';
  });
}

function nameHeadings(tokens: readonly Token[]): Heading[] {
  const used = new Map<string, number>();
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const text = plainOf(tokens[index + 1]);
    const plain = idOf(text);
    const count = used.get(plain) ?? 0;
    used.set(plain, count + 1);
    const id = count === 0 ? plain : `${plain}-${count}`;
    token.attrSet('id', id);
    return [{ id, text, level: Number(token.tag.slice(1)) }];
  });
}

function sectionsOf(tokens: readonly Token[]): Rendered['sections'] {
  const sections = [{ id: '', title: '', text: '' }];
  tokens.forEach((token, index) => {
    const last = sections.at(-1);
    if (token.type === 'heading_open') {
      sections.push({ id: String(token.attrGet('id') ?? ''), title: plainOf(tokens[index + 1]), text: '' });
    } else if (token.type === 'inline' && last && tokens[index - 1]?.type !== 'heading_open') {
      last.text += `${plainOf(token)} `;
    }
  });
  return sections;
}

function plainOf(token: Token | undefined): string {
  const children = token?.children ?? [];
  return children
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')
    .trim();
}

/**
 * Returns the anchor of a heading: its text in lower case, without accents and punctuation, with `-` between
 * words.
 */
export function idOf(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9\s-]/g, '')
    .trim()
    .replace(/\s+/g, '-');
}
