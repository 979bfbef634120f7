import type { Clock } from '@plataforma/kernel';

/** What tests make shorter, or move. */
export interface Tuning {
  /** How often a stream says that it is alive. */
  heartbeatMs: number;
  clock?: Clock;
}

export const productionTuning: Tuning = { heartbeatMs: 20_000 };
