import { appendedCounters, countersOf } from '@plataforma/data';
import { counted } from './020-withdrawal-counts.ts';

export const counters = [countersOf(counted)] as const;

export const withdrawalCounters = appendedCounters('027_appended_counters', counters);
