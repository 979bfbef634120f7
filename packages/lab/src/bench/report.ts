import { markdownTable } from '@plataforma/testing';
import { cellsOf } from './figures.ts';
import type { Measured } from './run.ts';

export function reportOf({ load, figures: { about, rows } }: Measured, circumstances: string): string {
  const { head, lines } = cellsOf(rows);
  const measuredOn = `Measured on ${circumstances}; load before it: ${load.toFixed(1)}.`;
  return [about, measuredOn, markdownTable(head, lines)].join('\n\n');
}

export function printed({ name, load, figures: { about, rows } }: Measured): string {
  const { head, lines } = cellsOf(rows);
  const all = [head, ...lines];
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')}`.trimEnd();
  return [`${name}: ${about}`, ...all.map(line), `  load before it: ${load.toFixed(1)}`].join('\n');
}
