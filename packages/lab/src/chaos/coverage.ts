import { serviceNames } from '@plataforma/testing';
import { allFaults } from './faults/all.ts';
import { nameOfPoint, pointsOf, situations } from './inside/fail-points.ts';
import type { RunReport } from './run.ts';

/** Were it shortened to seconds, a link would still fall silent on a card's order, and a process die of it, too seldom. */
const BY_A_LATE_CARD =
  'an order of a card would have to be on its way to the acquirer for two minutes; the crash tests of charges see to it';

/** What may not come about in many runs either, and why. */
const EXEMPT: Readonly<Record<string, string>> = {
  'charges at late_card.found': BY_A_LATE_CARD,
  'charges at late_card.answered': BY_A_LATE_CARD,
};

/** What a run may bring about, by what it is: a verdict says nothing about what never came about. */
export const possible = {
  faults: allFaults({ seed: 0, brokerAwayMs: 0 }).map(({ name }) => name),
  points: serviceNames.flatMap((name) => pointsOf(name).map((point) => nameOfPoint(name, point))),
  situations,
};

/** What has come about in none of the runs, though it should have in as many. */
export function missedIn(reports: readonly RunReport[]): string[] {
  const struck = reports.flatMap(({ strikes }) => strikes.flatMap(({ faults }) => faults));
  const situationsOf = ({ situations: all }: RunReport) => [...all].filter(([, count]) => count > 0);
  const came = new Set([
    ...struck.map(({ name }) => name),
    ...reports.flatMap(({ failPoints }) => [...failPoints]),
    ...reports.flatMap(situationsOf).map(([name]) => name),
  ]);
  const reported = reports.flatMap((report) => [...report.situations.keys()]);
  const all = new Set([...possible.faults, ...possible.points, ...possible.situations, ...reported]);
  return [...all].filter((name) => !came.has(name) && !Object.hasOwn(EXEMPT, name));
}
