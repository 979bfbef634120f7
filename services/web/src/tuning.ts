/** What tests make shorter. */
export interface Tuning {
  /** How often a stream says that it is alive. */
  heartbeatMs: number;
}

export const productionTuning: Tuning = { heartbeatMs: 20_000 };
