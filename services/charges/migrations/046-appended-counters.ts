import { appendedCounters, countersOf, sumsOf } from '@plataforma/data';
import { counted } from './029-charge-counts.ts';
import { summed } from './040-charge-volumes.ts';

export const counters = [countersOf(counted), sumsOf(summed)] as const;

export const chargeCounters = appendedCounters('046_appended_counters', counters);
