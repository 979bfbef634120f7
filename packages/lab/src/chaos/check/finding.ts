/** A violation of an invariant. */
export interface Finding {
  /** One of the platform's ten invariants, which hold during any fault. */
  invariant: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;
  /** `lost`: an acknowledged effect does not exist. `doubled`: one intent has two effects. */
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

/** Returns a finding unless the count is one. */
export function notOnce(invariant: Invariant, count: number, what: string): Finding[] {
  if (count === 1) return [];
  return count === 0 ? [lost(invariant, `no ${what}`)] : [doubled(invariant, `${count} times ${what}`)];
}
