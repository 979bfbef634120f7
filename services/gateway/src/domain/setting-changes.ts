import type { Settings } from './organization.ts';

export type SettingChanges = { [Name in keyof Settings]?: Settings[Name] | undefined };

type Value = Settings[keyof Settings];

/** Null means no limit. */
const isLower = (before: Value, after: Value) => after !== null && (before === null || after < before);
const isHigher = (before: Value, after: Value) => isLower(after, before);

/**
 * The changes of settings that one operator may make alone, because they only restrict the merchant. Every
 * other change needs a second operator.
 */
const narrowing: { [Name in keyof Settings]?: (before: Value, after: Value) => boolean } = {
  autoApproveLimit: isLower,
  dailyWithdrawalLimit: isLower,
  newPayeesPerDay: isLower,
  destinationCooldownHours: isHigher,
  settlementDays: isHigher,
  maxInstallments: isLower,
  cardEnabled: isLower,
};

/** Returns true if the changes touch no fee, and let the merchant do nothing more than before. */
export function isNarrower(before: Settings, changes: SettingChanges): boolean {
  const names = Object.keys(before) as (keyof Settings)[];
  return names.every((name) => {
    const after = changes[name];
    return after === undefined || after === before[name] || narrowing[name]?.(before[name], after);
  });
}
