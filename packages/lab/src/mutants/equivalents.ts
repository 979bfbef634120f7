import type { Mutant } from './mutant.ts';

/** A mutant that no test can notice, as nobody could. */
export interface Equivalent extends Pick<Mutant, 'file' | 'operator' | 'original' | 'mutated'> {
  readonly because: string;
}

export const equivalents: readonly Equivalent[] = [];

export function isEquivalent(mutant: Mutant): boolean {
  return equivalents.some(
    ({ file, operator, original, mutated }) =>
      file === mutant.file &&
      operator === mutant.operator &&
      original === mutant.original &&
      mutated === mutant.mutated,
  );
}
