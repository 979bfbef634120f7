import type { Source } from './sources.ts';
import { type Token, tokensOf } from './tokens.ts';

interface Block {
  path: string;
  /** First and last line. */
  from: number;
  to: number;
}

/** The same code twice, but for its literals. */
export interface Duplicate {
  one: Block;
  other: Block;
  tokens: number;
}

/** From which size on it counts. */
export interface Size {
  tokens: number;
  lines: number;
  /** Different ones: a list of texts is like any other. */
  words: number;
}

/** All files one after the other: a number for each token, and between two files one that no other has. */
interface Stream {
  shapes: number[];
  tokens: Token[];
  /** Of each token. */
  paths: string[];
}

const FACTOR = 0x01000193;

/** Each block once, with where it was first seen. */
export function duplicatesIn(sources: readonly Source[], least: Size): Duplicate[] {
  const stream = streamOf(sources);
  const hashes = hashesOf(stream.shapes, least.tokens);
  const seen = new Map<number, number>();
  const found: Duplicate[] = [];
  for (let at = 0; at < hashes.length; at += 1) {
    const hash = hashes[at] ?? 0;
    const earlier = seen.get(hash);
    if (earlier === undefined) {
      seen.set(hash, at);
      continue;
    }
    const tokens = alike(stream, earlier, at);
    const duplicate = { one: blockOf(stream, earlier, tokens), other: blockOf(stream, at, tokens), tokens };
    if (tokens < least.tokens || !isLong(duplicate, least)) continue;
    if (wordsIn(stream, at, tokens) >= least.words) found.push(duplicate);
    at += tokens - 1;
  }
  return found;
}

function streamOf(sources: readonly Source[]): Stream {
  const stream: Stream = { shapes: [], tokens: [], paths: [] };
  const numbers = new Map<string, number>();
  for (const source of sources) {
    for (const token of withoutImports(tokensOf(source))) {
      const shape = shapeOf(token);
      const number = numbers.get(shape) ?? numbers.size + 1;
      numbers.set(shape, number);
      add(number, token, source);
    }
    add(-stream.shapes.length - 1, { kind: 'sign', text: '', line: 0 }, source);
  }
  return stream;

  function add(shape: number, token: Token, { path }: Source): void {
    stream.shapes.push(shape);
    stream.tokens.push(token);
    stream.paths.push(path);
  }
}

/** What two copies have in common: literals differ, words do not. */
function shapeOf({ kind, text }: Token): string {
  return kind === 'text' || kind === 'number' ? kind : text;
}

function withoutImports(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLastIndex(({ kind, text }) => kind === 'word' && text === 'from');
  const isHead = tokens.slice(0, last).every(({ text }) => text !== '=' && text !== '=>');
  return isHead ? tokens.slice(last + 2) : tokens;
}

/** A hash of each window of so many tokens, by where it begins (Rabin and Karp). */
function hashesOf(shapes: readonly number[], length: number): number[] {
  let leading = 1;
  for (let times = 0; times < length; times += 1) leading = Math.imul(leading, FACTOR);
  const hashes: number[] = [];
  let hash = 0;
  for (let at = 0; at < shapes.length; at += 1) {
    const gone = at < length ? 0 : Math.imul(leading, shapes[at - length] ?? 0);
    hash = (Math.imul(hash, FACTOR) + (shapes[at] ?? 0) - gone) | 0;
    if (at >= length - 1) hashes.push(hash);
  }
  return hashes;
}

/** How many tokens are the same from two points on; those of one do not reach into the other. */
function alike({ shapes }: Stream, one: number, other: number): number {
  let count = 0;
  while (
    one + count < other &&
    other + count < shapes.length &&
    shapes[one + count] === shapes[other + count]
  )
    count += 1;
  return count;
}

function blockOf({ tokens, paths }: Stream, at: number, count: number): Block {
  const [first, last] = [tokens[at], tokens[at + count - 1]];
  return { path: paths[at] ?? '', from: first?.line ?? 0, to: last?.line ?? 0 };
}

function isLong({ one, other }: Duplicate, { lines }: Size): boolean {
  return [one, other].every(({ from, to }) => to - from + 1 >= lines);
}

function wordsIn({ tokens }: Stream, at: number, count: number): number {
  const words = tokens.slice(at, at + count).filter(({ kind }) => kind === 'word');
  return new Set(words.map(({ text }) => text)).size;
}
