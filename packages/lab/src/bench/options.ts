import { parseArgs } from 'node:util';
import { counted } from './figures.ts';

const { values, positionals } = parseArgs({
  options: {
    ...{ keep: { type: 'boolean' }, rows: { type: 'string' }, data: { type: 'string' } },
    months: { type: 'string' },
  },
  allowPositionals: true,
});

/** Which benchmarks are measured; none: all. */
export const NAMES = positionals;

/** Whether the figures of chosen ones are written, too. */
export const IS_KEPT = values.keep ?? false;

/** A folder whose data are used, and stay. */
export const DATA = values.data;

/** Over how many months deliveries are spread before others are measured; 0: there are none before. */
export const MONTHS = Number(values.months ?? 0);

const USUAL = 1_000_000;

/** How many rows the long lists have. */
export const MANY = Number(values.rows ?? USUAL);

/** Longer than those that have aims. */
export const IS_LONGER = MANY > USUAL;

/** Those of other lengths have parts of their own. */
export const partOf = (name: string) => (MANY === USUAL ? name : `${name} of ${counted(MANY)}`);

/** Filling them takes as many times as long. */
export const LENGTHENED = Math.max(1, MANY / USUAL);
