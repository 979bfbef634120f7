import type { Fault } from './rules.ts';

/** Faults that are left for each rule; the numbers only come down. */
export const limits: Readonly<Record<Fault['rule'], number>> = {
  name: 545,
  word: 249,
  opening: 508,
  sentence: 220,
  line: 2_996,
  cell: 1,
  subject: 0,
};
