import { serviceNames } from '@plataforma/testing';
import { allFaults } from './faults/all.ts';
import { nameOfPoint, pointsOf, situations } from './inside/fail-points.ts';
import type { RunReport } from './run.ts';

/**
 * With a limit of seconds, a run would still rarely kill a process just when the acquirer has lost a card
 * order.
 */
const BY_A_LATE_CARD =
  'an order of a card would have to be on its way to the acquirer for two minutes; the crash tests of charges see to it';

/** Names that many runs may miss, with the reason. */
const EXEMPT: Readonly<Record<string, string>> = {
  'charges at late_card.found': BY_A_LATE_CARD,
  'charges at late_card.answered': BY_A_LATE_CARD,
};

/** The names of everything that a run can cause. A verdict says nothing about things that did not occur. */
export const possible = {
  faults: allFaults({ seed: 0, brokerAwayMs: 0 }).map(({ name }) => name),
  points: serviceNames.flatMap((name) => pointsOf(name).map((point) => nameOfPoint(name, point))),
  situations,
};

/** Lists the names that none of the runs reached. */
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
