import type { House, MeasuredJourney } from './figures.ts';
import { journeyAim, LINE_STEP } from './limits.ts';

const number = new Intl.NumberFormat('en');

export function reportOf({ journeys, homes }: House): string {
  return [
    row(['journey', 'own files, lines', 'with packages', 'limit'], [32, 18, 18]),
    ...journeys.map(journeyRow),
    row(['aim', pair(journeyAim)], [32, 18]),
    '',
    ...[...homes].map(([home, lines]) => row([home, lines], [24, 10])),
  ].join('\n');
}

/** Lists the journeys that exceed their limit of files or lines. */
export function faultsOf({ journeys }: House): string[] {
  return journeys
    .filter(isTooLong)
    .map(({ name, own, ...limit }) => `to ${name}: ${pair(own)}, the limit is ${pair(limit)}`);
}

/** Lists the journeys whose limit is larger than necessary and can be decreased. */
export function looseLimitsOf({ journeys }: House): string[] {
  const isLoose = ({ own, files, lines }: MeasuredJourney) => {
    const least = Math.ceil(own.lines / LINE_STEP) * LINE_STEP;
    return Math.max(own.files, journeyAim.files) < files || Math.max(least, journeyAim.lines) < lines;
  };
  return journeys.filter(isLoose).map(({ name }) => name);
}

function isTooLong({ own, files, lines }: MeasuredJourney): boolean {
  return own.files > files || own.lines > lines;
}

function journeyRow({ name, own, withPackages, ...limit }: MeasuredJourney): string {
  return row([name, pair(own), pair(withPackages), pair(limit)], [32, 18, 18]);
}

function pair({ files, lines }: { files: number; lines: number }): string {
  return `${number.format(files)} / ${number.format(lines)}`;
}

function row(cells: readonly (string | number)[], widths: readonly number[]): string {
  const text = (cell: string | number) => (typeof cell === 'number' ? number.format(cell) : cell);
  return cells
    .map((cell, at) => text(cell).padEnd(widths[at] ?? 0))
    .join('')
    .trimEnd();
}
