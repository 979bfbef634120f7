import { appendedByColumns } from '@plataforma/data';
import { counters } from './046-appended-counters.ts';

export const comparedCounters = appendedByColumns('052_compared_counters', counters);
