import type { Withdrawal } from '../domain/withdrawal.ts';
import { type Approve, approve } from '../steps/approve.ts';
import { type Decider, demandDecidable } from '../steps/decider.ts';

/** One operator's approval, or that of a merchant of the sandbox. */
export async function approveWithdrawal(
  parts: Approve,
  { id, by }: { id: string; by: Decider },
): Promise<Withdrawal> {
  return approve(parts, await demandDecidable(parts.database, id, by), by);
}
