import type { Database } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { SandboxBank } from '@plataforma/service';
import { methodOf, requireOpen, type Withdrawal } from '../domain/withdrawal.ts';
import { orderEndInSandbox } from '../payouts/sandbox-bank.ts';
import { getForDecider, requireApprovalInSandbox } from '../store/decisions.ts';

/**
 * Delays a sandbox withdrawal. A Pix that is PENDING without approvals then waits for an approval; any other
 * Pix waits at the sandbox bank. A TED is not changed, because it always waits for operators.
 */
export async function holdInSandbox(
  { database, sandboxBank }: { database: Database; sandboxBank: SandboxBank },
  { id, tenant }: { id: string; tenant: Tenant },
): Promise<Withdrawal> {
  const found = await getForDecider(database, id, { tenant });
  requireOpen(found);
  if (methodOf(found) === 'PIX' && !(await requireApprovalInSandbox(database, id)))
    await orderEndInSandbox(sandboxBank, found, 'hold');
  return getForDecider(database, id, { tenant });
}
