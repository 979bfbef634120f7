import { Refusal } from '@plataforma/kernel';
import { noSandboxBank, type SandboxBank } from '@plataforma/service';
import { payoutIdOf, type Withdrawal } from '../domain/withdrawal.ts';

/** Has the sandbox bank end the payout so, or hold it; the bank knows it by our id, also before it is ordered. */
export async function orderEnd(
  bank: SandboxBank,
  { id }: Withdrawal,
  end: 'hold' | 'complete' | 'fail',
): Promise<void> {
  if (!(await bank.order(`/payouts/${payoutIdOf(id)}/end`, { end }))) throw noSandboxBank();
}

export function demandOpen({ status }: Withdrawal): void {
  if (status === 'PENDING' || status === 'APPROVED' || status === 'PROCESSING') return;
  throw new Refusal('conflict', 'INVALID_STATE', `the withdrawal has ended already: it is ${status}`);
}
