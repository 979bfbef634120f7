import type { Clock } from '@plataforma/kernel';

/** The times and the clock that tests replace. */
export interface Tuning {
  heartbeatMs: number;
  /**
   * A connection without traffic is cut after this time, which is longer than the time between two
   * heartbeats.
   */
  stalledAfterMs: number;
  /** The longest wait for the API before a buyer gets the page about an unavailable API. */
  pageAnswerMs: number;
  clock?: Clock;
}

export const productionTuning: Tuning = { heartbeatMs: 20_000, stalledAfterMs: 30_000, pageAnswerMs: 4_500 };
