import ts from 'typescript';

/** A text for human readers, and the line on which it begins. */
export interface Text {
  kind: 'name' | 'comment' | 'message' | 'prose' | 'cell' | 'subject';
  line: number;
  text: string;
}

const LOG_LEVELS = new Set(['debug', 'info', 'warn', 'error', 'fatal']);
const ERROR_CLASS = /(?:Error|Refusal|Declined)$/;
const TAG_OR_ITEM = /\n\s*(?:(?=[@|])|- |\d+\. )/;

/** Returns the names that a TypeScript file declares, its comments, and its messages of errors and logs. */
export function textsOfCode(path: string, code: string): Text[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, kind);
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
  const texts: Text[] = [];
  const comments = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) comments.delete(node.pos);
    else for (const range of rangesAround(code, node)) comments.set(range.pos, range);
    const name = declaredName(node);
    if (name) texts.push({ kind: 'name', line: lineAt(name.getStart()), text: name.text });
    for (const message of messagesIn(node))
      texts.push({ kind: 'message', line: lineAt(message.pos), text: message.text });
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  for (const { line, text } of joined([...comments.values()], code, lineAt))
    for (const part of text.split(TAG_OR_ITEM)) texts.push({ kind: 'comment', line, text: oneLine(part) });
  return texts.filter(({ text }) => text !== '');
}

/** Returns the paragraphs and the table cells of a Markdown file. Code blocks and headings are left out. */
export function textsOfMarkdown(markdown: string): Text[] {
  const texts: Text[] = [];
  let paragraph: Text | null = null;
  let isCode = false;
  for (const [at, line] of markdown.split('\n').entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    if (isFence || isCode || line.trim() === '' || /^\s*(?:#|<|\|)/.test(line)) {
      paragraph = null;
      if (!isFence && !isCode && /^\s*\|/.test(line)) texts.push(...cellsOf(line, at + 1));
    } else if (paragraph && !/^\s*(?:[-*]|\d+\.) /.test(line)) {
      paragraph.text += ` ${line.trim()}`;
    } else {
      paragraph = { kind: 'prose', line: at + 1, text: line.trim().replace(/^(?:[-*>]|\d+\.) /, '') };
      texts.push(paragraph);
    }
  }
  return texts;
}

function cellsOf(row: string, line: number): Text[] {
  const cells = row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/);
  return cells
    .map((cell) => ({ kind: 'cell' as const, line, text: cell.trim() }))
    .filter(({ text }) => text !== '' && !/^:?-+:?$/.test(text));
}

function rangesAround(code: string, node: ts.Node): ts.CommentRange[] {
  if (node.getChildCount() > 0) return [];
  const before = ts.getLeadingCommentRanges(code, node.pos) ?? [];
  return [...before, ...(ts.getTrailingCommentRanges(code, node.end) ?? [])];
}

/**
 * Joins `//` comments on successive lines to one comment, because a sentence may continue on the next line.
 */
function joined(ranges: ts.CommentRange[], code: string, lineAt: (position: number) => number) {
  const comments: { line: number; last: number; isLine: boolean; text: string }[] = [];
  for (const { pos, end, kind } of ranges.sort((a, b) => a.pos - b.pos)) {
    const line = lineAt(pos);
    const isAlone = code.slice(code.lastIndexOf('\n', pos) + 1, pos).trim() === '';
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const raw = code.slice(pos, end);
    const text = isLine ? raw.slice(2) : raw.replace(/^\/\*+|\*+\/$/g, '').replace(/^\s*\* ?/gm, '');
    const previous = comments.at(-1);
    if (isLine && isAlone && previous?.isLine && previous.last === line - 1)
      Object.assign(previous, { last: line, text: `${previous.text}\n${text.trim()}` });
    else comments.push({ line, last: lineAt(end), isLine, text });
  }
  return comments.filter(({ text }) => !/^\s*(?:biome-|@ts-|<reference|#|!)/.test(text));
}

function declaredName(node: ts.Node): ts.Identifier | ts.PrivateIdentifier | null {
  if (!isDeclaration(node) || !node.name) return null;
  return ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name) ? node.name : null;
}

function isDeclaration(node: ts.Node): node is ts.NamedDeclaration {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassLike(node) ||
    ts.isClassElement(node) ||
    ts.isTypeElement(node)
  );
}

/** Returns the messages in a call of a logger or of an error's constructor. */
function messagesIn(node: ts.Node): { pos: number; text: string }[] {
  const isLog =
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    LOG_LEVELS.has(node.expression.name.text) &&
    /log$/i.test(node.expression.expression.getText());
  const isError = ts.isNewExpression(node) && ERROR_CLASS.test(node.expression.getText());
  if (!isLog && !isError) return [];
  return (node.arguments ?? []).flatMap((argument) => {
    if (ts.isStringLiteralLike(argument)) return [{ pos: argument.getStart(), text: argument.text }];
    if (!ts.isTemplateExpression(argument)) return [];
    const text = [argument.head.text, ...argument.templateSpans.map((span) => span.literal.text)].join('…');
    return [{ pos: argument.getStart(), text }];
  });
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
