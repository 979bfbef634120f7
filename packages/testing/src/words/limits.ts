import type { Fault } from './rules.ts';

/** Faults that are left for each rule; the numbers only come down. */
export const limits: Readonly<Record<Fault['rule'], number>> = {
  name: 594,
  word: 250,
  opening: 509,
  sentence: 220,
  line: 2_996,
  cell: 1,
  subject: 0,
};
