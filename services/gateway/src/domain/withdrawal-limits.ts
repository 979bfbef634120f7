import type { Organization, Settings, WithdrawalLimits } from './organization.ts';

/** The limits of a new merchant in production, until an operator changes them. */
export const initialLimits = {
  autoApproveLimit: 0,
  newPayeesPerDay: 10,
  dailyWithdrawalLimit: 5_000_000,
  destinationCooldownHours: 24,
} as const satisfies Partial<Settings>;

/** The limits of a new merchant in the sandbox. An operator's change of a limit applies to both environments. */
export const initialSandboxLimits: WithdrawalLimits = {
  dailyWithdrawalLimit: null,
  destinationCooldownHours: 0,
};

/** Returns the limits of withdrawals in each environment. */
export function withdrawalLimitsOf({ settings, sandboxLimits }: Organization): {
  production: WithdrawalLimits;
  sandbox: WithdrawalLimits;
} {
  const { dailyWithdrawalLimit, destinationCooldownHours } = settings;
  const production = { dailyWithdrawalLimit, destinationCooldownHours };
  return { production, sandbox: { ...production, ...sandboxLimits } };
}
