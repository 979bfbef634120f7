import type { Fault } from './rules.ts';

/** Faults that are left for each rule; the numbers only come down. */
export const limits: Readonly<Record<Fault['rule'], number>> = {
  name: 2_412,
  word: 432,
  opening: 612,
  sentence: 220,
  line: 5_193,
  cell: 104,
  subject: 0,
};
