import { api } from '@plataforma/contracts';
import type { InsidersOfRun } from '../world/world.ts';
import type { Evidence } from './evidence.ts';
import { type Finding, violation } from './finding.ts';

/** Invariant 11. Checks that no insider did any harm. */
export async function checkInsiders({ insiders }: Evidence): Promise<Finding[]> {
  return [...(insiders?.breaches ?? [])].map((harm) => violation(11, `an insider, with ${harm}`));
}

/**
 * Removes the findings about rows that an insider has left in the books. `checkForgedEntries` checks that the
 * platform names these rows.
 */
export function withoutForged(findings: readonly Finding[], insiders?: InsidersOfRun): Finding[] {
  const forged = [...(insiders?.forged ?? [])];
  return findings.filter(({ what }) => !forged.some((id) => what.includes(id)));
}

/** Checks that the verification of the books has named each entry that an insider has posted. */
export function checkForgedEntries(differences: readonly string[], insiders?: InsidersOfRun): Finding[] {
  return [...(insiders?.entries ?? [])].flatMap(([kind, count]) => {
    const isNamed = differences.some(
      (text) => text.includes(`${kind} without an order`) && text.includes(`"recorded":${count}`),
    );
    return isNamed
      ? []
      : [violation(11, `${api.verifyBooks.path} does not name ${count} forged entries: ${kind}`)];
  });
}
