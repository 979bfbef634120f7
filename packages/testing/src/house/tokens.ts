import type { Source } from './sources.ts';

export interface Token {
  kind: 'word' | 'number' | 'text' | 'sign';
  text: string;
  /** From 1. */
  line: number;
}

const BLANK = /(?:\s+|\/\/.*|\/\*[\s\S]*?\*\/)+/y;
const WORD = /[\p{L}_$#@][\p{L}\p{N}_$]*/uy;
const NUMBER = /\d[\w.]*/y;
const TEXT = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/sy;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const SIGN = /=>|./sy;
const BEFORE_VALUE =
  /^(return|typeof|case|of|in|await|yield|throw|new|else|do|void|delete|extends|satisfies)$/;

const known = new WeakMap<Source, readonly Token[]>();

/** The tokens of a TypeScript file without its comments; a template with all that it holds is one text. */
export function tokensOf(source: Source): readonly Token[] {
  const tokens = known.get(source) ?? read(source.text);
  known.set(source, tokens);
  return tokens;
}

function read(code: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(code)?.[0];
  }
  function next(): Omit<Token, 'line'> {
    const first = code[at];
    if (first === '`') return { kind: 'text', text: code.slice(at, templateEnd(code, at)) };
    const word = take(WORD);
    if (word !== undefined) return { kind: 'word', text: word };
    const number = take(NUMBER);
    if (number !== undefined) return { kind: 'number', text: number };
    const isRegex = first === '/' && !endsValue(tokens.at(-1));
    const text = take(isRegex ? REGEX : TEXT);
    if (text !== undefined) return { kind: 'text', text };
    return { kind: 'sign', text: take(SIGN) ?? '' };
  }

  while (at < code.length) {
    const blank = take(BLANK) ?? '';
    line += newlinesIn(blank);
    at += blank.length;
    if (at >= code.length) break;
    const { kind, text } = next();
    tokens.push({ kind, text, line });
    if (kind === 'text') line += newlinesIn(text);
    at += text.length;
  }
  return tokens;
}

/** Whether a slash after this token divides. */
function endsValue(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind === 'sign') return [')', ']', '}'].includes(token.text);
  return !BEFORE_VALUE.test(token.text);
}

/** Behind the template that begins at `start`, with whatever stands between its braces. */
function templateEnd(code: string, start: number): number {
  let at = start + 1;
  while (at < code.length && code[at] !== '`') {
    if (code[at] === '\\') at += 2;
    else at = code.startsWith('${', at) ? bracesEnd(code, at + 1) : at + 1;
  }
  return at + 1;
}

function bracesEnd(code: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    TEXT.lastIndex = at;
    const text = TEXT.exec(code)?.[0];
    if (code[at] === '{') depth += 1;
    if (code[at] === '}') depth -= 1;
    at = code[at] === '`' ? templateEnd(code, at) : at + (text?.length ?? 1);
  } while (at < code.length && depth > 0);
  return at;
}

function newlinesIn(text: string): number {
  return text.split('\n').length - 1;
}
