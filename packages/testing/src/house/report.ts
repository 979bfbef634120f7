import type { Figure, House, MeasuredJourney } from './figures.ts';
import { journeyAim, LINE_STEP } from './limits.ts';

const number = new Intl.NumberFormat('en');

/** The figures as tables; with where it is, of what is over its limit or of everything. */
export function reportOf(house: House, { isFull }: { isFull: boolean }): string {
  const isShown = (figure: Figure) => isFull || figure.count > figure.limit;
  return [
    ...house.figures.flatMap((figure) => [
      row([figure.name, figure.count, limitOf(figure)], [52, 6]),
      ...(isShown(figure) ? figure.where.map((each) => `    ${each}`) : []),
    ]),
    '',
    row(['journey', 'own files, lines', 'with packages', 'limit'], [32, 18, 18]),
    ...house.journeys.map(journeyRow),
    row(['aim', pair(journeyAim)], [32, 18]),
    '',
    ...[...house.homes].map(([home, lines]) => row([home, lines], [24, 10])),
  ].join('\n');
}

/** What has got worse, a sentence each. */
export function faultsOf({ figures, journeys }: House): string[] {
  return [
    ...figures
      .filter(({ count, limit }) => count > limit)
      .map(({ name, count, limit }) => `${name}: ${count}, the limit is ${limit}`),
    ...journeys
      .filter(isTooLong)
      .map(({ name, own, ...limit }) => `to ${name}: ${pair(own)}, the limit is ${pair(limit)}`),
  ];
}

/** What has got better, so that its limit can come down. */
export function looseLimitsOf({ figures, journeys }: House): string[] {
  const isLoose = ({ own, files, lines }: MeasuredJourney) => {
    const least = Math.ceil(own.lines / LINE_STEP) * LINE_STEP;
    return Math.max(own.files, journeyAim.files) < files || Math.max(least, journeyAim.lines) < lines;
  };
  return [
    ...figures.filter(({ count, limit, aim }) => Math.max(count, aim) < limit).map(({ name }) => name),
    ...journeys.filter(isLoose).map(({ name }) => name),
  ];
}

function isTooLong({ own, files, lines }: MeasuredJourney): boolean {
  return own.files > files || own.lines > lines;
}

function limitOf({ limit, aim }: Figure): string {
  return limit === aim ? `limit ${limit}` : `limit ${limit}, aim ${aim}`;
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
