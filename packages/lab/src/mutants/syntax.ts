import { type Expression, type ModuleItem, parseSync } from '@swc/core';

export type SyntaxNode = ModuleItem | Expression;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Of the nodes only those of JSX have no span, which no file here has. */
export interface Placed {
  readonly type: string;
  readonly span?: Span;
}

/** One replacement of a text by another; offsets count bytes, as the parser's do. */
export interface Edit extends Span {
  readonly text: string;
}

/** A parsed file: what may be mutated in it, and where each node stands in its text. */
export interface Source {
  readonly code: string;
  readonly nodes: readonly SyntaxNode[];
  spanOf(node: Placed): Span;
  textOf(span: Span): string;
  /** The line of an offset, from 1. */
  lineOf(offset: number): number;
  /** The whole text after an edit. */
  after(edit: Edit): string;
}

/** What stands there decides nothing at run time, or is the compiler's to prove. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  ImportDeclaration: ['source', 'specifiers', 'with'],
  ExportNamedDeclaration: ['source', 'specifiers'],
  ExportAllDeclaration: ['source'],
  KeyValueProperty: ['key'],
  KeyValuePatternProperty: ['key'],
  MethodProperty: ['key'],
  // Counting the other way makes a loop without an end, of which a test learns nothing but that.
  ForStatement: ['update'],
};
/** Empty functions outside of a chaos run: no test of a service can miss them. */
const UNSEEN = new Set(['failPoint', 'sometimes']);

export function parse(code: string): Source {
  const bytes = Buffer.from(code);
  // Some versions of the parser count on from one call to the next: the semicolon shows where this text begins.
  const [semicolon, ...items] = parseSync(`;${code}`, { syntax: 'typescript', target: 'es2024' }).body;
  if (semicolon?.type !== 'EmptyStatement') throw new Error('the parser has dropped the first statement');
  const begin = semicolon.span.start + 1;
  const textOf = ({ start, end }: Span) => bytes.toString('utf8', start, end);
  return {
    code,
    nodes: [...nodesIn(items)],
    spanOf({ type, span }) {
      if (!span) throw new Error(`${type} has no place in the text`);
      return { start: span.start - begin, end: span.end - begin };
    },
    textOf,
    lineOf: (offset) => textOf({ start: 0, end: offset }).split('\n').length,
    after: ({ start, end, text }) =>
      `${textOf({ start: 0, end: start })}${text}${textOf({ start: end, end: bytes.length })}`,
  };
}

function* nodesIn(value: unknown): Generator<SyntaxNode> {
  if (typeof value !== 'object' || value === null) return;
  if (isNode(value)) {
    if (isUnseen(value)) return;
    yield value;
  }
  const type = 'type' in value ? String(value.type) : '';
  for (const [key, child] of Object.entries(value)) {
    // Of `x satisfies T` only x is there at run time.
    if (type.startsWith('Ts') && key !== 'expression') continue;
    if (!LEFT_OUT[type]?.includes(key)) yield* nodesIn(child);
  }
}

function isNode(value: object): value is SyntaxNode {
  return 'type' in value && 'span' in value;
}

function isUnseen(node: SyntaxNode): boolean {
  if (node.type === 'ExpressionStatement') return isUnseen(node.expression);
  // The text of an error that only a bug throws is for people.
  if (node.type === 'NewExpression')
    return node.callee.type === 'Identifier' && node.callee.value === 'Error';
  if (node.type !== 'CallExpression') return false;
  return node.callee.type === 'Identifier' && UNSEEN.has(node.callee.value);
}
