import type { Clock } from '@plataforma/kernel';

/** The times that tests shorten, and their clock. */
export interface Tuning {
  heartbeatMs: number;
  /** An idle connection is cut after this time, which is longer than the time between two heartbeats. */
  stalledAfterMs: number;
  clock?: Clock;
}

export const productionTuning: Tuning = { heartbeatMs: 20_000, stalledAfterMs: 30_000 };
