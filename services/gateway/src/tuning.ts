import { PASSWORD_COST, type PasswordCost } from './passwords.ts';

export interface Tuning {
  passwordCost: PasswordCost;
  /** The longest time for which a request that moves a sandbox's clock waits for the due work. */
  clockMaxWaitMs: number;
}

export const productionTuning: Tuning = { passwordCost: PASSWORD_COST, clockMaxWaitMs: 8_000 };
