import type { DoctoredData } from './doctored-data.ts';
import type { DoctoredMemory } from './doctored-memory.ts';

/** Broken promises about events, deliveries, merchants and answers: lies in the databases. */
export const promiseData: DoctoredData[] = [];

/** The same in another memory of the shops or the clients. */
export const promiseMemory: DoctoredMemory[] = [];
