import type { Transaction } from '@plataforma/data';
import { type Clock, Refusal, withNextSequence } from '@plataforma/kernel';
import { merchantTime } from '@plataforma/service';
import { announce, writeAudit } from '@plataforma/tables';
import { type Charge, statusAfter } from '../../domain/charge.ts';
import { lockCharge, saveCharge } from '../../store/charges.ts';
import { findUnrefusedRefund } from '../../store/refunds.ts';
import { type Dispute, type DisputeNotice, newDispute } from '../domain/dispute.ts';
import { disputeAnnouncementOf, disputeUpdateOf } from '../domain/dispute-announcement.ts';
import {
  findDisputeByReference,
  findUndecidedDispute,
  insertDispute,
  lockDispute,
  saveDispute,
} from './disputes.ts';

/**
 * Locks the charge and opens a dispute. The ledger reserves the amount, and refunds are refused until the
 * decision. Throws REQUEST_IN_PROGRESS during a refund, because the outcome of the refund limits the amount.
 */
export async function openDispute(tx: Transaction, clock: Clock, notice: DisputeNotice): Promise<Dispute> {
  const charge = await lockCharge(tx, notice.chargeId);
  const existing = notice.providerReference && (await findDisputeByReference(tx, notice.providerReference));
  if (existing) return updateDispute(tx, existing.id, charge, notice);

  await requireNothingUnderWay(tx, charge, notice.providerReference);
  const dispute = newDispute(charge, notice, await merchantTime(tx, clock, charge));
  await insertDispute(tx, dispute);
  const status = statusAfter(charge.status, 'dispute') ?? charge.status;
  await saveCharge(tx, { ...charge, status });
  await announce(tx, disputeAnnouncementOf(dispute, charge));
  if (notice.operatorId !== undefined) {
    await writeAudit(tx, {
      operatorId: notice.operatorId,
      action: 'dispute.open',
      subjectId: dispute.id,
      before: { chargeStatus: charge.status },
      after: { chargeStatus: status, amount: dispute.amount },
      reason: notice.description,
    });
  }
  return dispute;
}

/**
 * Copies the provider's reason and deadline to an undecided dispute. Announces the update if either has
 * changed.
 */
async function updateDispute(
  tx: Transaction,
  id: string,
  charge: Charge,
  { reason, description, deadline: changed }: DisputeNotice,
): Promise<Dispute> {
  const before = await lockDispute(tx, id);
  const deadline = changed ?? before.deadline;
  const isSame =
    before.reason === reason &&
    before.description === description &&
    before.deadline.getTime() === deadline.getTime();
  if (isSame || (before.status !== 'OPEN' && before.status !== 'UNDER_REVIEW')) return before;
  const dispute = withNextSequence({ ...before, reason, description, deadline });
  await saveDispute(tx, dispute);
  await announce(tx, disputeUpdateOf(dispute, charge));
  return dispute;
}

/**
 * Throws while the charge has a pending refund or an undecided dispute. A provider gets REQUEST_IN_PROGRESS
 * in both cases, so that it repeats its notice later.
 */
export async function requireNothingUnderWay(
  tx: Transaction,
  { id }: Charge,
  providerReference: string | null,
): Promise<void> {
  const refund = await findUnrefusedRefund(tx, id);
  if (refund && refund.status !== 'DONE') {
    const message = 'the charge is being refunded: try again when that has ended';
    throw new Refusal('conflict', 'REQUEST_IN_PROGRESS', message);
  }
  if (await findUndecidedDispute(tx, id)) {
    const code = providerReference === null ? 'INVALID_STATE' : 'REQUEST_IN_PROGRESS';
    throw new Refusal('conflict', code, 'the charge has an undecided dispute already');
  }
}
