/** How often the bank looks for what is due. */
export interface Tuning {
  /** For callbacks that no signal told of. */
  callbackPollMs: number;
}

export const productionTuning: Tuning = { callbackPollMs: 500 };
