import { PASSWORD_COST, type PasswordCost } from './passwords.ts';

/** Costs and times of the gateway; tests choose others. */
export interface Tuning {
  /** The cost of one guess of a password. */
  passwordCost: PasswordCost;
  /** How long a request that moves the clock of a sandbox waits until all due work is done. */
  clockMaxWaitMs: number;
}

export const productionTuning: Tuning = { passwordCost: PASSWORD_COST, clockMaxWaitMs: 8_000 };
