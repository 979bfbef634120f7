export interface Tuning {
  /** Milliseconds between two polls, which find retries and callbacks whose signal was lost. */
  callbackPollMs: number;
  /** Milliseconds by which calls are delayed under the provider fault `slow`. */
  slowMs: number;
  /** Milliseconds between two deletions of expired card tokens. */
  forgetMs: number;
}

export const productionTuning: Tuning = { callbackPollMs: 500, slowMs: 3_000, forgetMs: 60_000 };
