import type { Token } from 'markdown-it';
import type { Block } from './code.ts';
import type { Language } from './model.ts';

/** Returns the code of a file in `docs/guide/samples`, or of a marked region of the file. */
export type Samples = (path: string) => string;

const LANGUAGES: Record<string, string> = {
  sh: 'bash',
  shell: 'bash',
  ts: 'typescript',
  js: 'typescript',
  mjs: 'typescript',
  py: 'python',
};

/**
 * Replaces each paragraph of links to samples by one token. Adjacent code blocks that have a `tab=` label are
 * also replaced by one token.
 */
export function groupCode(tokens: readonly Token[], samples: Samples): Token[] {
  const made: Token[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token) continue;
    const links = token.type === 'paragraph_open' ? sampleLinksIn(tokens[index + 1]) : [];
    if (links.length > 0) {
      made.push(
        codeToken(
          token,
          links.map(({ label, path }) => ({ label, language: languageOf(path), code: samples(path) })),
        ),
      );
      index += 2;
    } else if (token.type === 'fence') {
      addFence(made, token);
    } else {
      made.push(token);
    }
  }
  return made;
}

function addFence(made: Token[], token: Token): void {
  const [name = 'text', ...rest] = token.info.split(/\s+(?=tab=)/);
  const label = /^tab=(.+)$/.exec(rest.join(' '))?.[1]?.trim() ?? '';
  const block: Block = { label, language: LANGUAGES[name.trim()] ?? name.trim(), code: token.content };
  const before = blocks.get(made.at(-1) ?? token);
  if (label !== '' && before?.at(-1)?.label) before.push(block);
  else made.push(codeToken(token, [block]));
}

const blocks = new WeakMap<Token, Block[]>();

export function blocksIn(token: Token | undefined): readonly Block[] {
  return (token && blocks.get(token)) ?? [];
}

function codeToken(like: Token, own: Block[]): Token {
  const token = Object.assign(like, { type: 'code_group', tag: '', nesting: 0, children: null });
  blocks.set(token, own);
  return token;
}

const LINKS_ALONE = /^(?:\[[^\]]+\]\((?:\.\.\/)+samples\/[^)]+\)\s*)+$/;
const LINK = /\[([^\]]+)\]\((?:\.\.\/)+samples\/([^)]+)\)/g;

/** Returns the links to samples in a paragraph, or an empty list if the paragraph contains other text. */
function sampleLinksIn(inline: Token | undefined): { label: string; path: string }[] {
  const text = inline?.content ?? '';
  if (!LINKS_ALONE.test(text)) return [];
  return [...text.matchAll(LINK)].map(([, label = '', path = '']) => ({ label, path }));
}

function languageOf(path: string): string {
  const ending = /\.(\w+)(?:#.*)?$/.exec(path)?.[1] ?? 'text';
  return LANGUAGES[ending] ?? ending;
}

const MARKER = /^\[!(NOTE|TIP|WARNING)\]\s*/;
const NOTES: Record<string, Record<Language, string>> = {
  NOTE: { pt: 'Nota', en: 'Note' },
  TIP: { pt: 'Dica', en: 'Tip' },
  WARNING: { pt: 'Atenção', en: 'Warning' },
};

/** Renders a quote that begins with `[!NOTE]` as a note, as GitHub does. */
export function markNotes(tokens: readonly Token[], language: Language): void {
  tokens.forEach((token, index) => {
    const text = tokens[index + 2];
    const [head, ...rest] = text?.children ?? [];
    const kind = MARKER.exec(head?.content ?? '')?.[1];
    if (token.type !== 'blockquote_open' || kind === undefined || !text || !head) return;
    token.attrSet('class', `note ${kind.toLowerCase()}`);
    token.attrSet('data-label', NOTES[kind]?.[language] ?? '');
    head.content = head.content.replace(MARKER, '');
    if (head.content === '') text.children = rest.slice(rest[0]?.type === 'softbreak' ? 1 : 0);
  });
}
