import { createHash } from 'node:crypto';
import type { Mutant } from './mutant.ts';

/**
 * Chooses `count` mutants, spread evenly over services, then files, then operators. A hash of seed and id
 * breaks ties, so that a new or removed mutant changes few other choices.
 */
export function choose(
  mutants: readonly Mutant[],
  { seed, count }: { seed: number; count: number },
): Mutant[] {
  const rank = (text: string) => createHash('sha256').update(`${seed} ${text}`).digest('hex');
  const left = new Set(
    mutants
      .map((mutant) => ({ mutant, rank: rank(mutant.id) }))
      .sort((one, other) => (one.rank < other.rank ? -1 : 1))
      .map(({ mutant }) => mutant),
  );
  const times = new Map<string, number>();
  const chosen: Mutant[] = [];
  while (chosen.length < count && left.size > 0) {
    const next = leastChosen(left, times);
    if (!next) break;
    left.delete(next);
    chosen.push(next);
    for (const trait of traitsOf(next)) times.set(trait, (times.get(trait) ?? 0) + 1);
  }
  return chosen;
}

export const serviceOf = ({ file }: Pick<Mutant, 'file'>) => file.split('/')[1] ?? '';

const traitsOf = (mutant: Mutant) => [serviceOf(mutant), mutant.file, mutant.operator];

function leastChosen(left: Iterable<Mutant>, times: ReadonlyMap<string, number>): Mutant | undefined {
  let [least, fewest]: [Mutant | undefined, number[]] = [undefined, []];
  for (const mutant of left) {
    const counts = traitsOf(mutant).map((trait) => times.get(trait) ?? 0);
    if (!least || isLess(counts, fewest)) [least, fewest] = [mutant, counts];
  }
  return least;
}

function isLess(one: readonly number[], other: readonly number[]) {
  const at = one.findIndex((count, index) => count !== other[index]);
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0);
}
