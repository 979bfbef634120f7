import type { Database } from '@plataforma/data';
import type { Tenant } from '@plataforma/kernel';
import type { SandboxBank } from '@plataforma/service';
import { approversOf } from '../domain/approval.ts';
import { methodOf, type Withdrawal } from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { type Approve, approve } from '../steps/approve.ts';
import { demandOpen, orderEnd } from '../steps/at-bank.ts';
import { demandDecidable } from '../steps/decider.ts';
import { lockWithdrawal, saveWithdrawal } from '../store/withdrawals.ts';

interface EndAtBank extends Approve {
  bank: SandboxBank;
}

type End = { step: 'complete' } | { step: 'fail'; reason: string };

/**
 * How a Pix withdrawal of the sandbox ends: the bank hears of it first, so that the same request again goes on where this
 * one stopped. Null for a TED, which people end.
 */
export async function endAtBank(
  parts: EndAtBank,
  { id, tenant, end }: { id: string; tenant: Tenant; end: End },
): Promise<Withdrawal | null> {
  const by = { tenant };
  const found = await demandDecidable(parts.database, id, by);
  if (methodOf(found) === 'TED') return null;
  demandOpen(found);
  if (end.step === 'fail') await noteDetail(parts.database, id, end.reason);
  await orderEnd(parts.bank, found, end.step);
  failPoint('payout.end_ordered');
  const isHeld = found.status === 'PENDING' && approversOf(found).length === 0;
  return isHeld ? approve(parts, found, by) : found;
}

/** Before the bank fails it: the end, which comes by itself, finds what was written. */
async function noteDetail(database: Database, id: string, failureDetail: string): Promise<void> {
  await database.transaction(async (tx) => {
    const before = await lockWithdrawal(tx, id);
    demandOpen(before);
    await saveWithdrawal(tx, { ...before, failureDetail });
  });
}
