import type { Database } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { SandboxBank } from '@plataforma/service';
import { methodOf, requireOpen, type Withdrawal } from '../domain/withdrawal.ts';
import { orderEndInSandbox } from '../payouts/sandbox-bank.ts';
import { getForDecider, requireApprovalInSandbox } from '../store/decisions.ts';

/**
 * Holds a sandbox withdrawal: a PENDING Pix waits for its approval, a later one at the bank. A TED waits for
 * operators anyway.
 */
export async function holdInSandbox(
  { database, bank }: { database: Database; bank: SandboxBank },
  { id, tenant }: { id: string; tenant: Tenant },
): Promise<Withdrawal> {
  const found = await getForDecider(database, id, { tenant });
  requireOpen(found);
  if (methodOf(found) === 'PIX' && !(await requireApprovalInSandbox(database, id)))
    await orderEndInSandbox(bank, found, 'hold');
  return getForDecider(database, id, { tenant });
}
