import { PASSWORD_COST, type PasswordCost } from './passwords.ts';

/** Costs and times of the gateway; tests choose others. */
export interface Tuning {
  /** What it costs to guess a password. */
  passwordCost: PasswordCost;
  /** For how long who moves the clock of a sandbox waits until all that fell due has happened. */
  clockPatienceMs: number;
}

export const productionTuning: Tuning = { passwordCost: PASSWORD_COST, clockPatienceMs: 8_000 };
