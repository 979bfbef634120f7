import { noSandboxBank, type SandboxBank } from '@plataforma/service';
import { z } from 'zod';
import { methodOf, payoutIdOf, type Withdrawal } from '../domain/withdrawal.ts';

/**
 * Instructs the sandbox bank to end or delay a payout. The bank remembers the instruction even if the payout
 * arrives at the bank later.
 */
export async function orderEndInSandbox(
  bank: SandboxBank,
  { id }: Withdrawal,
  end: 'hold' | 'complete' | 'fail',
): Promise<void> {
  if (!(await bank.order(`/payouts/${payoutIdOf(id)}/end`, { end }))) throw noSandboxBank();
}

const fault = z.object({ payout: z.string() });

/**
 * Returns true if the merchant has set a provider fault that delays payouts, and the withdrawal needs no
 * approval.
 */
export async function isHeldByFault(bank: SandboxBank, withdrawal: Withdrawal): Promise<boolean> {
  const { environment, merchantId, status, approvalsNeeded } = withdrawal;
  if (environment !== 'sandbox' || status !== 'PENDING' || approvalsNeeded > 0) return false;
  if (methodOf(withdrawal) === 'TED') return false;
  const found = await bank.read(`/weather/${merchantId}`);
  // A sandbox bank of an earlier release has no provider faults and answers without a body.
  return Boolean(found) && fault.parse(found).payout === 'held';
}
