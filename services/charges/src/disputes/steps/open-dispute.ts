import { type Database, type Transaction, writeAudit } from '@plataforma/data';
import type { Keep } from '@plataforma/http';
import { type Clock, newId, Refusal } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import { merchantTime } from '@plataforma/service';
import { type Charge, statusAfter } from '../../domain/charge.ts';
import { noSuchCharge } from '../../domain/charge-refusals.ts';
import { findAnyCharge, lockCharge, saveCharge } from '../../store/charges.ts';
import { findStandingRefund } from '../../store/refunds.ts';
import { type Dispute, defaultDeadline, disputedAmount, noSuchDispute } from '../domain/dispute.ts';
import {
  findDisputeByReference,
  findUndecidedDispute,
  insertDispute,
  lockDispute,
  saveDispute,
} from '../store/disputes.ts';
import { disputeAnnouncementOf, disputeUpdateOf } from './dispute-announcement.ts';

export interface DisputeNotice {
  chargeId: string;
  /** Cents; all that has not gone back to the payer when left out. */
  amount?: number | undefined;
  reason: string;
  description: string;
  deadline?: Date | undefined;
  /** The provider's own name of it: the same notice opens one dispute. Null from an operator. */
  providerReference: string | null;
  operatorId: string | null;
}

/**
 * Opens a dispute: the books hold its amount, and the charge can't be refunded until it is decided. Refused with
 * REQUEST_IN_PROGRESS while a refund of the charge is under way, whose end says how much there is left to dispute.
 */
export async function openDispute(
  { database, clock }: { database: Database; clock: Clock },
  notice: DisputeNotice,
  keep?: Keep<Dispute>,
): Promise<Dispute> {
  if (!(await findAnyCharge(database, notice.chargeId))) throw noSuchCharge();
  return database.transaction(async (tx) => {
    const charge = await lockCharge(tx, notice.chargeId);
    const known = notice.providerReference && (await findDisputeByReference(tx, notice.providerReference));
    if (known) {
      const current = await updateDispute(tx, { id: known.id, charge, notice });
      await keep?.(tx, current);
      return current;
    }

    await demandNothingUnderWay(tx, charge, notice);
    const now = await merchantTime(tx, clock, charge);
    if (notice.operatorId) demandInFuture(notice.deadline, now);
    const dispute = disputeOf(charge, notice, now);
    await insertDispute(tx, dispute);
    const status = statusAfter(charge.status, 'dispute') ?? charge.status;
    await saveCharge(tx, { ...charge, status });
    await announce(tx, disputeAnnouncementOf(dispute, charge));
    if (notice.operatorId) {
      await writeAudit(tx, {
        operatorId: notice.operatorId,
        action: 'dispute.open',
        subjectId: dispute.id,
        before: { chargeStatus: charge.status },
        after: { chargeStatus: status, amount: dispute.amount },
        reason: notice.description,
      });
    }
    await keep?.(tx, dispute);
    return dispute;
  });
}

/** Takes over the provider's reason and deadline while the dispute is undecided, and announces a change of either. */
async function updateDispute(
  tx: Transaction,
  { id, charge, notice }: { id: string; charge: Charge; notice: DisputeNotice },
): Promise<Dispute> {
  const before = await lockDispute(tx, id);
  if (!before) throw noSuchDispute();
  const { reason, description, deadline = before.deadline } = notice;
  const isSame =
    before.reason === reason &&
    before.description === description &&
    before.deadline.getTime() === deadline.getTime();
  if (isSame || (before.status !== 'OPEN' && before.status !== 'UNDER_REVIEW')) return before;
  const dispute = { ...before, reason, description, deadline, sequence: before.sequence + 1 };
  await saveDispute(tx, dispute);
  await announce(tx, disputeUpdateOf(dispute, charge));
  return dispute;
}

/** A provider's own notice waits for the end of what is under way; an operator is told of it. */
export async function demandNothingUnderWay(
  tx: Transaction,
  { id }: Charge,
  { providerReference }: Pick<DisputeNotice, 'providerReference'>,
): Promise<void> {
  const refund = await findStandingRefund(tx, id);
  if (refund && refund.status !== 'DONE') {
    const message = 'the charge is being refunded: try again when that has ended';
    throw new Refusal('conflict', 'REQUEST_IN_PROGRESS', message);
  }
  if (await findUndecidedDispute(tx, id)) {
    const code = providerReference === null ? 'INVALID_STATE' : 'REQUEST_IN_PROGRESS';
    throw new Refusal('conflict', code, 'the charge has an undecided dispute already');
  }
}

/** A provider's own deadline is what it is. */
function demandInFuture(deadline: Date | undefined, now: Date): void {
  if (deadline === undefined || deadline > now) return;
  throw new Refusal('invalid', 'VALIDATION_ERROR', 'deadline: must lie in the future');
}

function disputeOf(charge: Charge, notice: DisputeNotice, now: Date): Dispute {
  return {
    id: newId(),
    chargeId: charge.id,
    merchantId: charge.merchantId,
    environment: charge.environment,
    amount: disputedAmount(charge, notice.amount),
    reason: notice.reason,
    description: notice.description,
    status: 'OPEN',
    deadline: notice.deadline ?? defaultDeadline(now),
    providerReference: notice.providerReference,
    evidence: null,
    sequence: 1,
    createdAt: now,
    resolvedAt: null,
    resolution: null,
    debt: null,
  };
}
