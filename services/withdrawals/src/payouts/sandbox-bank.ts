import { noSandboxBank, type SandboxBank } from '@plataforma/service';
import { z } from 'zod';
import { methodOf, payoutIdOf, type Withdrawal } from '../domain/withdrawal.ts';

/** Orders the sandbox bank to end or hold a payout, even before the bank has its order. */
export async function orderEndInSandbox(
  bank: SandboxBank,
  { id }: Withdrawal,
  end: 'hold' | 'complete' | 'fail',
): Promise<void> {
  if (!(await bank.order(`/payouts/${payoutIdOf(id)}/end`, { end }))) throw noSandboxBank();
}

const fault = z.object({ payout: z.string() });

/** Returns whether a provider fault of its merchant holds a withdrawal that needs no approval. */
export async function isHeldByFault(bank: SandboxBank, withdrawal: Withdrawal): Promise<boolean> {
  const { environment, merchantId, status, approvalsNeeded } = withdrawal;
  if (environment !== 'sandbox' || status !== 'PENDING' || approvalsNeeded > 0) return false;
  if (methodOf(withdrawal) === 'TED') return false;
  const found = await bank.read(`/weather/${merchantId}`);
  // A bank of an earlier release has no provider faults.
  return Boolean(found) && fault.parse(found).payout === 'held';
}
