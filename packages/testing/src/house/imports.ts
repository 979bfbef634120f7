import type { Source } from './sources.ts';
import { type Token, tokensOf } from './tokens.ts';

/** What a file takes from another, or passes on of it. */
export interface Import {
  from: string;
  /** As the other file calls them; null: all there is. */
  names: readonly string[] | null;
  /** By its own name for each that it passes on; empty for what it uses itself. */
  passedOn: ReadonlyMap<string, string>;
}

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Types are imports, too: a reader follows them as well. */
export function importsIn(source: Source): Import[] {
  const tokens = tokensOf(source);
  const imports: Import[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const { kind, text } = tokens[at] ?? {};
    if (kind !== 'word' || tokens[at - 1]?.text === '.') continue;
    if (text === 'import' || text === 'export') {
      const found = statementAt(tokens, at);
      if (found) imports.push(found);
    }
  }
  return imports;
}

function statementAt(tokens: readonly Token[], start: number): Import | undefined {
  const isExport = tokens[start]?.text === 'export';
  const at = tokens[start + 1]?.text === 'type' ? start + 2 : start + 1;
  const first = tokens[at];
  if (!first || (isExport && !['{', '*'].includes(first.text))) return undefined;
  // What is imported for its effects, or while the program runs.
  const bare = first.text === '(' ? tokens[at + 1] : first;
  if (!isExport && bare?.kind === 'text') return { from: inside(bare), names: null, passedOn: NOTHING };
  let end = at;
  while (end < tokens.length && tokens[end]?.kind !== 'text' && tokens[end]?.text !== ';') end += 1;
  const from = tokens[end];
  if (from?.kind !== 'text' || tokens[end - 1]?.text !== 'from') return undefined;
  const listed = first.text === '{' ? namesIn(tokens.slice(at + 1, end - 2)) : null;
  const names = listed && [...listed.values()];
  return { from: inside(from), names, passedOn: (isExport && listed) || NOTHING };
}

/** `type a as b, c`: from b to a, and from c to itself. */
function namesIn(tokens: readonly Token[]): Map<string, string> {
  const entries = tokens
    .map(({ text }) => text)
    .join(' ')
    .split(',')
    .map((entry) => entry.trim().replace(/^type (?!as )/, ''))
    .filter((entry) => entry !== '')
    .map((entry) => entry.split(' as '));
  return new Map(entries.map(([own = '', name = own]) => [name, own]));
}

function inside({ text }: Token): string {
  return text.slice(1, -1);
}
