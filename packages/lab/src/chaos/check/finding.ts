export interface Finding {
  /** The number of one of the platform's eleven invariants, which must hold during any fault. */
  invariant: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;
  /**
   * `lost`: an effect that the platform acknowledged does not exist. `doubled`: one intent has two effects.
   * `violation`: any other difference.
   */
  kind: 'violation' | 'lost' | 'doubled';
  what: string;
}

type Invariant = Finding['invariant'];

export const violation = (invariant: Invariant, what: string): Finding => ({
  invariant,
  kind: 'violation',
  what,
});
export const lost = (invariant: Invariant, what: string): Finding => ({ invariant, kind: 'lost', what });
export const doubled = (invariant: Invariant, what: string): Finding => ({
  invariant,
  kind: 'doubled',
  what,
});

/** Returns a finding if the count is not one. */
export function notOnce(invariant: Invariant, count: number, what: string): Finding[] {
  if (count === 1) return [];
  return count === 0 ? [lost(invariant, `no ${what}`)] : [doubled(invariant, `${count} times ${what}`)];
}
