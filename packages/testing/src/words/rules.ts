import type { Text } from './texts.ts';

/** A name, word, sentence or line that breaks a rule of docs/words.md. */
export interface Fault {
  rule: 'name' | 'word' | 'opening' | 'sentence' | 'line' | 'cell' | 'subject';
  line: number;
  text: string;
}

export interface Words {
  /**
   * The names that must not be used: `whole` are complete names, `first` are first words of names, and `any`
   * are words at any position.
   */
  whole: ReadonlySet<string>;
  first: ReadonlySet<string>;
  any: ReadonlySet<string>;
  /** The words that comments, messages and documents avoid. */
  prose: RegExp;
}

const MOST_WORDS = 25;
const MOST_COLUMNS = 110;
const MOST_IN_CELL = 160;
const MOST_IN_SUBJECT = 72;

const OPENING = /^(?:["“(]*)(?:What|Who|Of|Whose|By|In it)\b/;
const NOT_IMPERATIVE =
  /^(?:[a-z]|\w+:|\w+['’]s\b|\w*[^s]s\b|(?!Embed|Feed|Need|Seed|Shed|Speed|Bring)\w+(?:ed|ing)\b)/;
/**
 * Matches lines that can't be broken: a single word, a row of a table, or a line of code that consists of one
 * string.
 */
const UNBREAKABLE =
  /^\s*(?:\S+$|\||(?:[?:] |(?:export )?const \w+ = |[\w.'"]+: ?|[\w.]+ = |return )?(?:(['"`]).*\1|\/.*\/\w*)\)?[,;]*$)/;
const SENTENCE_END = /(?<=[^.][.!?]["”)]?)\s+(?=["“(`]*\p{Lu}|`)/u;

/**
 * Parses the table in docs/words.md. The third column lists forbidden names, and the fourth column lists
 * words that texts must avoid.
 */
export function wordsOf(document: string): Words {
  const rows = document.split('\n').filter((line) => line.startsWith('| `'));
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  const names = cells.flatMap((row) => codesIn(row[3] ?? ''));
  const prose = cells.flatMap((row) => (row[4] ?? '').split(', ')).filter((each) => each !== '');
  return {
    whole: new Set(names.filter((name) => !name.includes('…'))),
    first: new Set(names.filter((name) => /^[^…]+…$/.test(name)).map((name) => name.slice(0, -1))),
    any: new Set(names.filter((name) => /^….+…$/.test(name)).map((name) => name.slice(1, -1))),
    prose: new RegExp(`(?<![\\w-])(?:${prose.join('|')})(?![\\w-])`, 'i'),
  };
}

export function faultsOfText(words: Words, { kind, line, text }: Text): Fault[] {
  const fault = (rule: Fault['rule'], isFault: boolean, found = text): Fault[] =>
    isFault ? [{ rule, line, text: found }] : [];
  if (kind === 'name') return fault('name', isReplaced(words, text));
  const ofSentences = plain(text)
    .split(SENTENCE_END)
    .flatMap((sentence) => [
      ...fault('opening', OPENING.test(sentence) && !isTitle(kind, sentence), sentence),
      ...fault('word', words.prose.test(sentence), sentence),
      ...fault('sentence', kind === 'comment' && sentence.split(/\s+/).length > MOST_WORDS, sentence),
    ]);
  return [
    ...fault('cell', kind === 'cell' && withoutAddresses(text).length > MOST_IN_CELL),
    ...fault('subject', kind === 'subject' && (text.length > MOST_IN_SUBJECT || NOT_IMPERATIVE.test(text))),
    ...ofSentences,
  ];
}

/**
 * Returns true for a question, and for text in a table cell without a full stop at its end, such as a
 * column's title.
 */
function isTitle(kind: Text['kind'], sentence: string): boolean {
  return sentence.endsWith('?') || (kind === 'cell' && !sentence.endsWith('.'));
}

/** Returns the lines that are longer than 110 columns, except lines that can't be broken. */
export function longLinesOf(text: string): Fault[] {
  return text.split('\n').flatMap((line, at): Fault[] => {
    const isLong = [...line].length > MOST_COLUMNS;
    return isLong && !UNBREAKABLE.test(line) ? [{ rule: 'line', line: at + 1, text: line.trim() }] : [];
  });
}

/**
 * Returns the long lines of a Markdown file. Front matter and code samples are skipped, because a broken line
 * would change their meaning.
 */
export function longLinesOfMarkdown(markdown: string): Fault[] {
  let isSample = false;
  const prose = markdown.replace(/^---\n.*?\n---\n/s, (front) => front.replace(/.+/g, '')).split('\n');
  const shown = prose.map((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isSample = !isSample;
    return isFence || isSample ? '' : line;
  });
  return longLinesOf(shown.join('\n'));
}

function wordsOfName(name: string): string[] {
  const apart = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');
  return apart
    .toLowerCase()
    .split(/[\s_$#]+/)
    .filter((word) => word !== '');
}

function isReplaced({ whole, first, any }: Words, name: string): boolean {
  const each = wordsOfName(name);
  return whole.has(each.join('_')) || first.has(each[0] ?? '') || each.some((word) => any.has(word));
}

function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Replaces code and URLs in a text, because the rules apply only to words of sentences. */
function plain(text: string): string {
  return withoutAddresses(text.replace(/`[^`]*`/g, '`code`')).replace(/https?:\S+/g, 'address');
}

function withoutAddresses(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}
