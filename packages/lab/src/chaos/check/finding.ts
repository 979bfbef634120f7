/** What should never have happened, and how bad it is. */
export interface Finding {
  /** Of the ten that hold for the platform whatever breaks. */
  invariant: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;
  /** Lost: somebody was promised it, and it is not there. Doubled: one intent has two effects. */
  kind: 'violation' | 'lost' | 'doubled';
  /** In words, with the ids it is about. */
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

/** What is found where exactly one thing should be; nothing is found where there is one. */
export function notOnce(invariant: Invariant, count: number, what: string): Finding[] {
  if (count === 1) return [];
  return count === 0 ? [lost(invariant, `no ${what}`)] : [doubled(invariant, `${count} times ${what}`)];
}
