import type { Withdrawal } from '../domain/withdrawal.ts';
import { type SettleCreation, settleCreation } from './settle-creation.ts';

/**
 * Ends a creation whose caller is gone. What can be asked for again, by its key or externalId, is finished. The caller
 * of anything else was told to send it again, or has heard nothing: it is undone, lest it be paid twice.
 */
export async function resolveCreation(parts: SettleCreation, withdrawal: Withdrawal): Promise<void> {
  const taken = withdrawal.canBeAskedFor ? 'open' : 'abandon';
  await settleCreation(parts, withdrawal, { taken, andThen: async () => undefined });
}
