import { PASSWORD_COST, type PasswordCost } from './passwords.ts';

/** What it costs to guess a password. */
export interface Tuning {
  passwordCost: PasswordCost;
}

export const productionTuning: Tuning = { passwordCost: PASSWORD_COST };
