import { markdownTable } from '../src/markdown.ts';
import { cellsOf } from './figures.ts';
import type { Measured } from './run.ts';

/** What a run has measured, as Markdown. */
export function reportOf(measured: readonly Measured[], circumstances: string): string {
  const sections = measured.map(({ name, figures: { about, rows } }) => {
    const { head, lines } = cellsOf(rows);
    return `## ${name}\n\n${about}\n\n${markdownTable(head, lines)}`;
  });
  return [`Measured on ${circumstances}.`, ...sections].join('\n\n');
}

/** What one benchmark has measured, for the terminal. */
export function printed({ name, figures: { about, rows } }: Measured): string {
  const { head, lines } = cellsOf(rows);
  const all = [head, ...lines];
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')}`.trimEnd();
  return [`${name}: ${about}`, ...all.map(line)].join('\n');
}
