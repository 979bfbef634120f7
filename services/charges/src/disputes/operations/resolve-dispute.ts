import { setTimeout } from 'node:timers/promises';
import type { Database, Transaction } from '@plataforma/data';
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
import {
  type ActiveOperators,
  type CountDecision,
  merchantTime,
  type ProposedAction,
  type Requested,
  requestChange,
  requireSandbox,
  requireSingle,
} from '@plataforma/service';
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

export const disputeOutcomes = ['MERCHANT', 'CUSTOMER', 'CANCELLED'] as const;

type Outcome = (typeof disputeOutcomes)[number];

const steps: Record<Outcome, DisputeStep> = { MERCHANT: 'win', CUSTOMER: 'lose', CANCELLED: 'cancel' };

interface Decision {
  id: string;
  outcome: Outcome;
  resolution: string;
  /** The operator who decides, or in the sandbox the merchant, which may resolve only its own disputes. */
  by: { operatorId: string } | { tenant: Tenant };
}

export interface ResolveDispute {
  database: Database;
  ledger: Pick<LedgerClient, 'disputeDebt'>;
  clock: Clock;
  log: Log;
  endAtBank: (dispute: { id: string; attempts: number }) => Promise<void>;
}

/**
 * The scheduler repeats the order to the sandbox bank after this delay. The request that resolves the dispute
 * sends the first order itself.
 */
const ORDER_AFTER_MS = 10_000;

/**
 * Ends a dispute. When the merchant wins, the charge becomes PAID again. When the merchant loses, the payer
 * gets the disputed amount back.
 */
export async function resolveDispute(
  { database, clock, endAtBank, ...books }: ResolveDispute,
  { id, outcome, resolution, by }: Decision,
): Promise<Dispute> {
  if ('tenant' in by) requireSandbox(by.tenant);
  const found = await ('tenant' in by ? getDispute(database, by.tenant, id) : findAnyDispute(database, id));
  if (!found) throw noSuchDispute();
  const debt = outcome === 'CUSTOMER' ? await readDebt(books, found) : null;
  const decision = { id, outcome, resolution, by, chargeId: found.chargeId, debt };
  const { dispute, isOrdered } = await database.transaction((tx) => resolveIn(tx, clock, decision));
  // The decision stays valid when the bank fails, because the scheduler repeats the order.
  if (isOrdered) await endAtBank({ id, attempts: 0 }).catch(() => undefined);
  return dispute;
}

interface Resolution extends Decision {
  chargeId: string;
  debt: Cents | null;
  /** The fields of the audit row that name the operators of a proposal. */
  deciders?: Record<string, unknown>;
}

/** Returns the status after the decision. Throws INVALID_STATE if the dispute is decided already. */
function requireResolvable({ status }: Dispute, outcome: Outcome): Dispute['status'] {
  return requireNext(disputeTransitions, { noun: 'dispute', status }, steps[outcome]);
}

/** Ends a dispute in `tx`. `isOrdered` is true if the sandbox bank must move money. */
export async function resolveIn(
  tx: Transaction,
  clock: Clock,
  { id, chargeId, outcome, resolution, by, debt, deciders }: Resolution,
): Promise<{ dispute: Dispute; isOrdered: boolean }> {
  const charge = await lockCharge(tx, chargeId);
  const before = await lockDispute(tx, id);
  const status = requireResolvable(before, outcome);
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
      after: { status, ...deciders },
      reason: resolution,
    });
  }
  return { dispute, isOrdered };
}

interface ResolveByOperator extends ResolveDispute {
  operators: ActiveOperators;
  countDecision: CountDecision;
  fourEyesThreshold: Cents;
  proposals: Parameters<typeof requestChange>[0];
  disputeResolution: ProposedAction<Dispute>;
}

/**
 * Ends a dispute. Stores a proposal instead if the day's total of the operator or the merchant would exceed
 * the threshold. Throws FORBIDDEN for the operator who opened the dispute, unless this is the only operator.
 */
export async function resolveByOperator(
  dependencies: ResolveByOperator,
  { operatorId, ...decision }: Omit<Decision, 'by'> & { operatorId: string },
): Promise<Requested<Dispute>> {
  const { database, operators, countDecision, fourEyesThreshold: limit } = dependencies;
  const found = await findAnyDispute(database, decision.id);
  if (!found) throw noSuchDispute();
  const { id: subjectId, chargeId, merchantId, environment, amount, openedBy } = found;
  requireResolvable(found, decision.outcome);
  if (openedBy === operatorId) requireSingle(await operators(), operatorId, 'you opened this dispute');
  const counted = { subjectId, action: 'dispute.resolve', operatorId, merchantId, amount, limit };
  if (environment === 'sandbox' || (await countDecision(counted)))
    return { done: await resolveDispute(dependencies, { ...decision, by: { operatorId } }) };
  const debt = decision.outcome === 'CUSTOMER' ? await readDebt(dependencies, found) : null;
  return requestChange(dependencies.proposals, dependencies.disputeResolution, {
    ...{ subjectId, merchantId, environment, amount, reason: decision.resolution, operatorId },
    arguments: { ...decision, chargeId, merchantId, amount, debt },
  });
}

/**
 * The maximum number of attempts to read the debt from the ledger. The ledger knows a dispute only after the
 * dispute's event, which arrives within a second.
 */
const TRIES = 5;
const PAUSE_MS = 200;

/**
 * Asks the ledger for the part of the amount that the dispute's reserve did not cover. Returns null when the
 * ledger does not answer in time, because the decision must not wait.
 */
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

/**
 * Returns whether the sandbox bank must move money. The bank returns a Pix if the payer wins the dispute, and
 * reverses the chargeback of a card if the merchant wins.
 */
function movesAtBank({ environment, status }: Dispute, { card }: Charge): boolean {
  return environment === 'sandbox' && (card !== null) !== (status === 'RESOLVED_CUSTOMER');
}

/**
 * Returns the charge after a won dispute. A charge that was partly refunded before the dispute stays
 * REFUNDED.
 */
function won(charge: Charge): Charge {
  return { ...charge, status: statusAfter(charge.status, 'win_dispute') ?? charge.status };
}

/**
 * Returns the charge after a lost dispute. If the charge was partly refunded before, the refund keeps its
 * time and reason, and its amount grows by the disputed amount.
 */
function lost(charge: Charge, { amount, resolvedAt }: Dispute): Charge {
  const status = statusAfter(charge.status, 'lose_dispute') ?? charge.status;
  const refund = charge.refund
    ? { ...charge.refund, amount: charge.refund.amount + amount }
    : { amount, at: resolvedAt ?? charge.createdAt, reason: 'dispute' };
  return { ...charge, status, refund };
}
