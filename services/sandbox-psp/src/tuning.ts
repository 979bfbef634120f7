export interface Tuning {
  /** The poll interval for retries and for callbacks whose signal was lost. */
  callbackPollMs: number;
  /** The delay of calls under the provider fault `slow`. */
  slowMs: number;
}

export const productionTuning: Tuning = { callbackPollMs: 500, slowMs: 3_000 };
