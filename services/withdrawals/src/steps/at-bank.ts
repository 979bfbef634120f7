import { Refusal } from '@plataforma/kernel';
import { noSandboxBank, type SandboxBank } from '@plataforma/service';
import { z } from 'zod';
import { methodOf, payoutIdOf, type Withdrawal } from '../domain/withdrawal.ts';

/** Has the sandbox bank end the payout so, or hold it; the bank knows it by our id, also before it is ordered. */
export async function orderEnd(
  bank: SandboxBank,
  { id }: Withdrawal,
  end: 'hold' | 'complete' | 'fail',
): Promise<void> {
  if (!(await bank.order(`/payouts/${payoutIdOf(id)}/end`, { end }))) throw noSandboxBank();
}

const weather = z.object({ payout: z.string() });

/** Whether the provider weather of its merchant holds a withdrawal that would be paid by itself. */
export async function isHeldByWeather(bank: SandboxBank, withdrawal: Withdrawal): Promise<boolean> {
  const { environment, merchantId, status, approvalsNeeded } = withdrawal;
  if (environment !== 'sandbox' || status !== 'PENDING' || approvalsNeeded > 0) return false;
  if (methodOf(withdrawal) === 'TED') return false;
  const found = await bank.read(`/weather/${merchantId}`);
  // A bank of a release before has no weather.
  return Boolean(found) && weather.parse(found).payout === 'held';
}

export function demandOpen({ status }: Withdrawal): void {
  if (status === 'PENDING' || status === 'APPROVED' || status === 'PROCESSING') return;
  throw new Refusal('conflict', 'INVALID_STATE', `the withdrawal has ended already: it is ${status}`);
}
