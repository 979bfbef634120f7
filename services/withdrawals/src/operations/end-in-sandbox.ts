import type { Database } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { SandboxBank } from '@plataforma/service';
import { approversOf } from '../domain/approval.ts';
import { methodOf, requireOpen, type Withdrawal } from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { orderEndInSandbox } from '../payouts/sandbox-bank.ts';
import { getForDecider } from '../store/decisions.ts';
import { lockWithdrawal, saveWithdrawal } from '../store/withdrawals.ts';

type End = { step: 'complete' } | { step: 'fail'; reason: string };

/**
 * Instructs the sandbox bank how to end a Pix withdrawal. If `needsApproval` is true, the caller must approve
 * the withdrawal afterwards, so that a request that fails in between can be repeated. Returns null for a TED.
 */
export async function endInSandbox(
  dependencies: { database: Database; sandboxBank: SandboxBank },
  { id, tenant, end }: { id: string; tenant: Tenant; end: End },
): Promise<{ withdrawal: Withdrawal; needsApproval: boolean } | null> {
  const found = await getForDecider(dependencies.database, id, { tenant });
  if (methodOf(found) === 'TED') return null;
  requireOpen(found);
  if (end.step === 'fail') await recordDetail(dependencies.database, id, end.reason);
  await orderEndInSandbox(dependencies.sandboxBank, found, end.step);
  failPoint('payout.end_ordered');
  const needsApproval = found.status === 'PENDING' && approversOf(found).length === 0;
  return { withdrawal: found, needsApproval };
}

/**
 * Stores the reason before the sandbox bank fails the payout, so that the withdrawal has the reason when the
 * scheduler sets FAILED.
 */
async function recordDetail(database: Database, id: string, failureDetail: string): Promise<void> {
  await database.transaction(async (tx) => {
    const before = await lockWithdrawal(tx, id);
    requireOpen(before);
    await saveWithdrawal(tx, { ...before, failureDetail });
  });
}
