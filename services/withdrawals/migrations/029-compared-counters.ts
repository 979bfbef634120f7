import { appendedByColumns } from '@plataforma/data';
import { counters } from './027-appended-counters.ts';

export const comparedCounters = appendedByColumns('029_compared_counters', counters);
