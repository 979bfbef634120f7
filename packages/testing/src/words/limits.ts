import type { Fault } from './rules.ts';

/** Faults that are left for each rule; the numbers only come down. */
export const limits: Readonly<Record<Fault['rule'], number>> = {
  name: 914,
  word: 275,
  opening: 512,
  sentence: 220,
  line: 2_999,
  cell: 1,
  subject: 0,
};
