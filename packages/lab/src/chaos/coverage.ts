import { serviceNames } from '@plataforma/testing';
import { allFaults } from './faults/all.ts';
import { nameOfPoint, pointsOf, situations } from './inside/fail-points.ts';
import type { RunReport } from './run.ts';

/**
 * The reason why runs may miss the fail points of late card orders. Even with a limit below two minutes, a
 * run would rarely kill a process just when the acquirer has lost an order.
 */
const BY_A_LATE_CARD =
  'a card order would need two minutes to reach the acquirer; the crash tests of charges cover it';

/** The fail points that runs may miss, by name, each with the reason. */
const EXEMPT: Readonly<Record<string, string>> = {
  'charges at late_card.found': BY_A_LATE_CARD,
  'charges at late_card.answered': BY_A_LATE_CARD,
};

/**
 * The names of everything that runs can cause. A successful run proves nothing about a situation that never
 * occurred.
 */
export const possible = {
  faults: allFaults({ seed: 0, brokerAwayMs: 0 }).map(({ name }) => name),
  points: serviceNames.flatMap((name) => pointsOf(name).map((point) => nameOfPoint(name, point))),
  situations,
};

/** Returns the names that did not occur in any of the runs. */
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
