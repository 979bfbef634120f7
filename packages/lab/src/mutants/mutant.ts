import { createHash } from 'node:crypto';
import { operators } from './operators.ts';
import { type Edit, parse, type Source } from './syntax.ts';

/** One file of a service with one thing changed in it. */
export interface Mutant {
  /** The same as long as its text is there, on whatever line. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly operator: string;
  /** The line, or what stood on several. */
  readonly original: string;
  readonly mutated: string;
  /** The whole file with it. */
  readonly code: string;
}

/** Every mutant of a file, without those that change nothing. */
export function mutantsOf(file: string, code: string): Mutant[] {
  const source = parse(code);
  const times = new Map<string, number>();
  const mutants: Mutant[] = [];
  for (const { operator, edit } of editsOf(source)) {
    const shown = { file, operator, ...shownOf(edit, source) };
    const text = JSON.stringify(shown);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    const id = createHash('sha256').update(`${text} ${before}`).digest('hex').slice(0, 8);
    mutants.push({ ...shown, id, line: source.lineOf(edit.start), code: source.after(edit) });
  }
  return mutants.filter((mutant) => mutant.code !== code);
}

function editsOf(source: Source) {
  return source.nodes.flatMap((node) =>
    Object.entries(operators).flatMap(([operator, mutate]) =>
      mutate(node, source).map((edit) => ({ operator, edit })),
    ),
  );
}

function shownOf(edit: Edit, source: Source) {
  const text = source.textOf(edit);
  if (text.includes('\n')) return { original: onOneLine(text), mutated: edit.text };
  const lineOf = (code: string) => code.split('\n')[source.lineOf(edit.start) - 1]?.trim() ?? '';
  return { original: lineOf(source.code), mutated: lineOf(source.after(edit)) };
}

const onOneLine = (text: string) => text.trim().replace(/\s+/g, ' ');
