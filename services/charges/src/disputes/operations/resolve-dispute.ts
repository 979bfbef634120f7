import { setTimeout } from 'node:timers/promises';
import type { Database } from '@plataforma/data';
import {
  type Cents,
  type Clock,
  later,
  requireNext,
  type Tenant,
  withNextSequence,
} from '@plataforma/kernel';
import type { LedgerClient } from '@plataforma/ledger-client';
import type { Log } from '@plataforma/observe';
import { merchantTime, requireSandbox } from '@plataforma/service';
import { announce, writeAudit } from '@plataforma/tables';
import { type Charge, statusAfter } from '../../domain/charge.ts';
import { lockCharge, saveCharge } from '../../store/charges.ts';
import { type Dispute, type DisputeStep, disputeTransitions, noSuchDispute } from '../domain/dispute.ts';
import { disputeAnnouncementOf } from '../domain/dispute-announcement.ts';
import {
  endAtBankAt,
  findAnyDispute,
  forwardEvidenceAt,
  getDispute,
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

export interface ResolveDispute {
  database: Database;
  ledger: Pick<LedgerClient, 'disputeDebt'>;
  clock: Clock;
  log: Log;
  /** Orders the sandbox bank to move the money. */
  endAtBank: (dispute: { id: string; attempts: number }) => Promise<void>;
}

/** The request itself orders first; after this time the schedule does. */
const ORDER_AFTER_MS = 10_000;

/** Ends a dispute: won, the charge is PAID again; lost, the disputed amount has gone back to the payer. */
export async function resolveDispute(
  { database, clock, endAtBank, ...books }: ResolveDispute,
  { id, outcome, resolution, by }: Decision,
): Promise<Dispute> {
  if ('tenant' in by) requireSandbox(by.tenant);
  const found = await ('tenant' in by ? getDispute(database, by.tenant, id) : findAnyDispute(database, id));
  if (!found) throw noSuchDispute();
  const debt = outcome === 'CUSTOMER' ? await readDebt(books, found) : null;
  const { dispute, isOrdered } = await database.transaction(async (tx) => {
    const charge = await lockCharge(tx, found.chargeId);
    const before = await lockDispute(tx, id);
    const status = requireNext(
      disputeTransitions,
      { noun: 'dispute', status: before.status },
      steps[outcome],
    );
    const resolvedAt = await merchantTime(tx, clock, charge);
    const dispute = withNextSequence({ ...before, status, resolvedAt, resolution, debt });
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
  // The decision stands whatever the bank answers: the schedule repeats the order.
  if (isOrdered) await endAtBank({ id, attempts: 0 }).catch(() => undefined);
  return dispute;
}

/** The ledger gets the event of the opening within a second. */
const TRIES = 5;
const PAUSE_MS = 200;

/** Asks the ledger what the reserve of a dispute lacked. Null: no answer yet; the decision does not wait for it. */
async function readDebt(
  { ledger, log }: Pick<ResolveDispute, 'ledger' | 'log'>,
  { id, ...tenant }: Tenant & { id: string },
): Promise<Cents | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      const debt = await ledger.disputeDebt(tenant, id);
      if (debt !== null || tries === TRIES) return debt;
    } catch (err) {
      log.warn({ err, disputeId: id }, 'debt of a dispute not read');
      return null;
    }
    await setTimeout(PAUSE_MS);
  }
}

/** Whether the sandbox bank moves money: a lost Pix goes back, and a won card dispute undoes the chargeback. */
function movesAtBank({ environment, status }: Dispute, { card }: Charge): boolean {
  return environment === 'sandbox' && (card !== null) !== (status === 'RESOLVED_CUSTOMER');
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
