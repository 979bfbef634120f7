import type { CallExpression, Expression, Identifier } from '@swc/core';
import type { Edit, Placed, Source, SyntaxNode } from './syntax.ts';

type Operator = (node: SyntaxNode, source: Source) => Edit[];

const NEGATED = {
  ...{ '===': '!==', '!==': '===', '==': '!=', '!=': '==' },
  ...{ '<': '>=', '>=': '<', '>': '<=', '<=': '>' },
};
const EXITS = new Set(['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement']);
const METHODS = new Map(
  [
    ...[
      ['some', 'every'],
      ['startsWith', 'endsWith'],
      ['toUpperCase', 'toLowerCase'],
      ['min', 'max'],
    ],
    ...[
      ['trimStart', 'trimEnd'],
      ['push', 'unshift'],
    ],
  ].flatMap(([one = '', other = '']) => [
    [one, other],
    [other, one],
  ]),
);
const DROPPED = new Set(['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'trim', 'concat']);

/** The operators of Stryker, each with what it makes of a node. */
export const operators: Readonly<Record<string, Operator>> = {
  boundary: binary({ '<': '<=', '<=': '<', '>': '>=', '>=': '>' }),
  'negated comparison': binary(NEGATED),
  arithmetic: binary({ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }),
  logic: binary({ '&&': '||', '||': '&&' }),
  // In parentheses: the language takes no && beside ??.
  default: (node, source) =>
    node.type === 'BinaryExpression' && node.operator === '??'
      ? [replace(source, node, `((${textOf(node.left, source)}) && (${textOf(node.right, source)}))`)]
      : [],
  assignment: binary({ '+=': '-=', '-=': '+=', '*=': '/=', '??=': '=', '||=': '=', '&&=': '=' }),

  negation: (node, source) =>
    node.type === 'UnaryExpression' && node.operator === '!'
      ? [replace(source, node, textOf(node.argument, source))]
      : [],
  sign: (node, source) =>
    node.type === 'UnaryExpression' && node.operator === '-'
      ? [replace(source, node, textOf(node.argument, source))]
      : [],
  step: (node, source) => {
    if (node.type !== 'UpdateExpression') return [];
    const text = textOf(node, source);
    const [step, other] = node.operator === '++' ? ['++', '--'] : ['--', '++'];
    return [replace(source, node, text.replace(step, other))];
  },
  boolean: (node, source) =>
    node.type === 'BooleanLiteral' ? [replace(source, node, String(!node.value))] : [],
  condition: (node, source) => {
    if (node.type === 'WhileStatement') return [replace(source, node.test, 'false')];
    if (node.type !== 'IfStatement' && node.type !== 'ConditionalExpression') return [];
    const always = replace(source, node.test, 'true');
    // An exit that is never taken is an exit removed.
    return isExit(node) ? [always] : [always, replace(source, node.test, 'false')];
  },

  'early exit removed': (node, source) => (isExit(node) ? [replace(source, node, ';')] : []),
  'statement removed': (node, source) =>
    node.type === 'ExpressionStatement' ? [replace(source, node, ';')] : [],
  'block emptied': (node, source) => {
    const blocks = blocksOf(node).filter((block) => !isBlank(source, block));
    return blocks.map((block) => replace(source, block, '{}'));
  },
  'function emptied': (node, source) =>
    node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement'
      ? [replace(source, node.body, 'undefined')]
      : [],

  'text emptied': (node, source) => {
    if (node.type === 'StringLiteral') return [replace(source, node, node.value === '' ? `'mutant'` : `''`)];
    return node.type === 'TemplateLiteral' && !isBlank(source, node) ? [replace(source, node, '``')] : [];
  },
  'list emptied': (node, source) =>
    node.type === 'ArrayExpression' && !isBlank(source, node) ? [replace(source, node, '[]')] : [],
  'object emptied': (node, source) =>
    node.type === 'ObjectExpression' && !isBlank(source, node) ? [replace(source, node, '{}')] : [],

  'method swapped': (node, source) => {
    const method = methodOf(node);
    const other = method && METHODS.get(method.name);
    return other ? [{ ...source.spanOf(method.property), text: other }] : [];
  },
  'method dropped': (node, source) => {
    const method = methodOf(node);
    const isDropped = method && DROPPED.has(method.name);
    return isDropped ? [replace(source, node, textOf(method.object, source))] : [];
  },
  'optional chaining': (node, source) => {
    if (node.type !== 'OptionalChainingExpression') return [];
    const { base } = node;
    const { end: start } = source.spanOf(base.type === 'CallExpression' ? base.callee : base.object);
    const [sign, next] = [
      source.textOf({ start, end: start + 2 }),
      source.textOf({ start: start + 2, end: start + 3 }),
    ];
    if (sign !== '?.') return [];
    return [{ start, end: start + 2, text: next === '(' || next === '[' ? '' : '.' }];
  },
};

const textOf = (node: Placed, source: Source) => source.textOf(source.spanOf(node));

function replace(source: Source, node: Placed, text: string): Edit {
  return { ...source.spanOf(node), text };
}

/** `+` between texts has no other way round. */
function binary(others: Readonly<Record<string, string>>): Operator {
  return (node, source) => {
    if (node.type !== 'BinaryExpression' && node.type !== 'AssignmentExpression') return [];
    const other = others[node.operator];
    const isJoin = /^\+=?$/.test(node.operator) && [node.left, node.right].some(isText);
    if (other === undefined || isJoin) return [];
    const between = { start: source.spanOf(node.left).end, end: source.spanOf(node.right).start };
    const start = between.start + source.textOf(between).indexOf(node.operator);
    return [{ start, end: start + node.operator.length, text: other }];
  };
}

const isText = ({ type }: Placed) => type === 'StringLiteral' || type === 'TemplateLiteral';

/** Nothing between its brackets or backticks. */
function isBlank(source: Source, node: Placed) {
  return textOf(node, source).slice(1, -1).trim() === '';
}

function isExit(node: SyntaxNode): boolean {
  if (node.type !== 'IfStatement' || node.alternate) return false;
  const { consequent } = node;
  const last = consequent.type === 'BlockStatement' ? consequent.stmts.at(-1) : consequent;
  return last !== undefined && EXITS.has(last.type);
}

function blocksOf(node: SyntaxNode) {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
      return node.body ? [node.body] : [];
    case 'ArrowFunctionExpression':
    case 'ForOfStatement':
      return node.body.type === 'BlockStatement' ? [node.body] : [];
    case 'IfStatement':
      return [isExit(node) ? undefined : node.consequent, node.alternate].filter(
        (part) => part?.type === 'BlockStatement',
      );
    default:
      return [];
  }
}

interface Method {
  name: string;
  property: Identifier;
  object: Expression;
}

function methodOf(node: SyntaxNode): Method | null {
  if (node.type !== 'CallExpression') return null;
  const { callee }: CallExpression = node;
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return null;
  return { name: callee.property.value, property: callee.property, object: callee.object };
}
