import type { Clock } from '@plataforma/kernel';

/** What tests make shorter, or move. */
export interface Tuning {
  /** How often a stream says that it is alive. */
  heartbeatMs: number;
  /** After how long a connection on which nothing moves is cut; longer than the time between two heartbeats. */
  stalledAfterMs: number;
  clock?: Clock;
}

export const productionTuning: Tuning = { heartbeatMs: 20_000, stalledAfterMs: 30_000 };
