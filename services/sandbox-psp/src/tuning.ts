/** How often the bank looks for what is due, and how long it takes where it is slow. */
export interface Tuning {
  /** For callbacks that no signal told of. */
  callbackPollMs: number;
  /** How long the provider of a merchant takes with the fault `slow`. */
  slowMs: number;
}

export const productionTuning: Tuning = { callbackPollMs: 500, slowMs: 3_000 };
