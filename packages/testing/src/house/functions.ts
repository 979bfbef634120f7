import { linesOf, type Source } from './sources.ts';
import { type Token, tokensOf } from './tokens.ts';

export interface LongFunction {
  path: string;
  /** Where its body begins. */
  line: number;
  /** From the first to the last of its body, without blank ones. */
  lines: number;
}

const CONTROLS = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'await']);
/** Before the brace of a block or a declaration. */
const NO_TYPE = new Set(['else', 'try', 'finally', 'do', 'class', 'interface', 'enum', 'return', 'export']);
/** No type of a result is longer, counted in tokens and groups in brackets. */
const LONGEST_TYPE = 60;
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The functions with more than `limit` lines, each without the functions that it holds. What is handed to `describe` is none. */
export function longFunctionsIn(source: Source, limit: number): LongFunction[] {
  if (linesOf(source.text) <= limit) return [];
  const isCounted = source.text.split('\n').map((line) => line.trim() !== '');
  const tokens = tokensOf(source);
  const pairs = pairsIn(tokens);
  // An inner bracket is closed before the one around it.
  return [...pairs].flatMap(([close, open]) => {
    if (!isBody(tokens, pairs, open)) return [];
    const [first, last] = [tokens[open]?.line ?? 0, tokens[close]?.line ?? 0];
    const lines = isCounted.slice(first - 1, last).filter(Boolean).length;
    isCounted.fill(false, first, last);
    return lines > limit ? [{ path: source.path, line: first, lines }] : [];
  });
}

/** Of each closing bracket its opening one. */
function pairsIn(tokens: readonly Token[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'sign') continue;
    if (text === '(' || text === '[' || text === '{') open.push(at);
    if (!(text in OPENING)) continue;
    const opening = open.pop();
    if (opening !== undefined) pairs.set(at, opening);
  }
  return pairs;
}

/** Whether the brace at `open` begins the body of a function. */
function isBody(tokens: readonly Token[], pairs: ReadonlyMap<number, number>, open: number): boolean {
  if (tokens[open]?.text !== '{') return false;
  const before = tokens[open - 1]?.text;
  if (before === '=>') return !isOfDescribe(tokens, open);
  const close = before === ')' ? open - 1 : parametersEnd(tokens, pairs, open);
  const parameters = close === undefined ? undefined : pairs.get(close);
  return parameters !== undefined && !CONTROLS.has(tokens[parameters - 1]?.text ?? '');
}

/** The parenthesis before the type of a result that ends at `open`; behind a colon alone stands an object. */
function parametersEnd(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
  open: number,
): number | undefined {
  for (let at = open - 1, steps = 0; at > 0 && steps < LONGEST_TYPE; steps += 1) {
    const text = tokens[at]?.text ?? '';
    if (text === ':' && tokens[at - 1]?.text === ')') return steps > 0 ? at - 1 : undefined;
    if ([';', '=', '{', '(', '[', '=>'].includes(text) || NO_TYPE.has(text)) return undefined;
    at = (pairs.get(at) ?? at) - 1;
  }
  return undefined;
}

/** `describe('…', () => {`. */
function isOfDescribe(tokens: readonly Token[], open: number): boolean {
  const { line } = tokens[open] ?? {};
  let first = open;
  while (tokens[first - 1]?.line === line) first -= 1;
  return tokens[first]?.text === 'describe';
}
