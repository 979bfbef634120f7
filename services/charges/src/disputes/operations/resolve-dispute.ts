import { type Database, writeAudit } from '@plataforma/data';
import { type Clock, demandNext, later, type Tenant } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import { demandSandbox, merchantTime, type SandboxBank } from '@plataforma/service';
import { type Charge, statusAfter } from '../../domain/charge.ts';
import { lockCharge, saveCharge } from '../../store/charges.ts';
import { type Dispute, type DisputeStep, disputeTransitions, noSuchDispute } from '../domain/dispute.ts';
import { disputeAnnouncementOf } from '../steps/dispute-announcement.ts';
import { endAtBank, movesAtBank } from '../steps/end-at-bank.ts';
import { type Books, readDebt } from '../steps/read-debt.ts';
import {
  endAtBankAt,
  findAnyDispute,
  findDispute,
  forwardEvidenceAt,
  lockDispute,
  saveDispute,
} from '../store/disputes.ts';

type Outcome = 'MERCHANT' | 'CUSTOMER' | 'CANCELLED';

const steps: Record<Outcome, DisputeStep> = { MERCHANT: 'win', CUSTOMER: 'lose', CANCELLED: 'cancel' };

interface Decision {
  id: string;
  outcome: Outcome;
  resolution: string;
  /** An operator, or in the sandbox the merchant, who sees its own only. */
  by: { operatorId: string } | { tenant: Tenant };
}

interface ResolveDispute extends Books {
  database: Database;
  bank: SandboxBank;
  clock: Clock;
}

/** The request itself tells the bank first; after this the clock does. */
const ORDER_AFTER_MS = 10_000;

/** Ends a dispute: won, the charge is PAID again; lost, what was disputed has gone back to the payer. */
export async function resolveDispute(
  { database, bank, clock, ...books }: ResolveDispute,
  { id, outcome, resolution, by }: Decision,
): Promise<Dispute> {
  if ('tenant' in by) demandSandbox(by.tenant);
  const known = await ('tenant' in by ? findDispute(database, by.tenant, id) : findAnyDispute(database, id));
  if (!known) throw noSuchDispute();
  const debt = outcome === 'CUSTOMER' ? await readDebt(books, known) : null;
  const { dispute, isOrdered } = await database.transaction(async (tx) => {
    const charge = await lockCharge(tx, known.chargeId);
    const before = await lockDispute(tx, id);
    if (!before) throw noSuchDispute();
    const status = demandNext(disputeTransitions, { noun: 'dispute', status: before.status }, steps[outcome]);
    const resolvedAt = await merchantTime(tx, clock, charge);
    const dispute = { ...before, status, resolvedAt, resolution, debt, sequence: before.sequence + 1 };
    await saveDispute(tx, dispute);
    await forwardEvidenceAt(tx, id, null);
    const isOrdered = movesAtBank(dispute, charge);
    if (isOrdered) await endAtBankAt(tx, id, later(clock(), ORDER_AFTER_MS));
    await saveCharge(tx, outcome === 'CUSTOMER' ? lost(charge, dispute) : won(charge));
    await announce(tx, disputeAnnouncementOf(dispute, charge));
    if ('operatorId' in by) {
      await writeAudit(tx, {
        operatorId: by.operatorId,
        action: 'dispute.resolve',
        subjectId: id,
        before: { status: before.status },
        after: { status },
        reason: resolution,
      });
    }
    return { dispute, isOrdered };
  });
  // The decision stands whatever the bank answers: the clock repeats the order.
  if (isOrdered) await endAtBank({ database, bank }, { id, attempts: 0 }).catch(() => undefined);
  return dispute;
}

/** A charge that was refunded in part before it was disputed stays REFUNDED. */
function won(charge: Charge): Charge {
  return { ...charge, status: statusAfter(charge.status, 'win_dispute') ?? charge.status };
}

/** The merchant's own refund of a part keeps its time and its reason; the amount is the sum of both. */
function lost(charge: Charge, { amount, resolvedAt }: Dispute): Charge {
  const status = statusAfter(charge.status, 'lose_dispute') ?? charge.status;
  const refund = charge.refund
    ? { ...charge.refund, amount: charge.refund.amount + amount }
    : { amount, at: resolvedAt ?? charge.createdAt, reason: 'dispute' };
  return { ...charge, status, refund };
}
