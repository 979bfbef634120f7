import type { Database } from '@plataforma/data';
import type { Clock, Tenant } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import { noSuchWithdrawal, requireNextStatus, type Withdrawal } from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { findWithdrawal, lockWithdrawal, saveAndAnnounce } from '../store/withdrawals.ts';

const CANCELLED = 'cancelled by the merchant';

/**
 * Cancels a merchant's withdrawal that is not approved yet. The event is the same as after a rejection by an
 * operator.
 */
export async function cancelWithdrawal(
  { database, clock }: { database: Database; clock: Clock },
  tenant: Tenant,
  id: string,
): Promise<Withdrawal> {
  // Check first that the merchant may see the withdrawal. `lockWithdrawal` locks a withdrawal of any merchant
  // and in any status.
  if (!(await findWithdrawal(database, tenant, id))) throw noSuchWithdrawal();
  const cancelled = await database.transaction(async (tx) => {
    const pending = await lockWithdrawal(tx, id);
    const status = requireNextStatus(pending.status, 'reject');
    const endedAt = await merchantTime(tx, clock, tenant);
    const end = { status, rejectedReason: CANCELLED, endedAt, dueAt: null };
    return saveAndAnnounce(tx, { ...pending, ...end });
  });
  failPoint('withdrawal.cancelled');
  return cancelled;
}
