import type { Database, Transaction } from '@plataforma/data';
import { type Cents, type Clock, Refusal } from '@plataforma/kernel';
import {
  type CountDecision,
  merchantTime,
  type ProposedAction,
  type Requested,
  requestChange,
} from '@plataforma/service';
import { withTedStarted } from '../domain/approval.ts';
import { methodOf, requireNextStatus, type Withdrawal } from '../domain/withdrawal.ts';
import { failPoint } from '../fail-points.ts';
import { auditDecision, type Decider, getForDecider } from '../store/decisions.ts';
import { findObstacles } from '../store/obstacles.ts';
import { lockWithdrawal, saveAndAnnounce } from '../store/withdrawals.ts';

/** The decision of an operator or a sandbox merchant: a rejection, or the result of a TED. */
export type EndRequest = { id: string; by: Decider } & (
  | { step: 'reject'; reason: string }
  | { step: 'complete'; providerTxId: string }
  | { step: 'fail'; reason: string; bankReference?: string }
);

export async function endByOperator(
  { database, clock }: { database: Database; clock: Clock },
  request: EndRequest,
): Promise<Withdrawal> {
  await getForDecider(database, request.id, request.by);
  return database.transaction((tx) => endIn(tx, clock, request));
}

/**
 * Ends a withdrawal. The audit row of an operator contains `deciders`, the operators of a proposal. For a TED
 * that the service had not started, the row also contains the reasons for the wait.
 */
export async function endIn(
  tx: Transaction,
  clock: Clock,
  request: EndRequest,
  deciders: Record<string, unknown> = {},
): Promise<Withdrawal> {
  const { id, by, step } = request;
  const before = await lockWithdrawal(tx, id);
  const now = await merchantTime(tx, clock, before);
  const sent = requireEnd(before, step, now);
  const obstacles = isUnstartedTed(before) ? await findObstacles(tx, before) : {};
  const ended = { ...sent, ...detailsOf(request), endedAt: now, dueAt: null };
  const after = await saveAndAnnounce(tx, ended);
  await auditDecision(tx, by, {
    action: `withdrawal.${step}`,
    subjectId: id,
    before: { status: before.status },
    after: { status: after.status, ...documentOf(request, after), ...obstacles, ...deciders },
    reason: request.step === 'complete' ? null : request.reason,
  });
  failPoint('withdrawal.decided');
  return after;
}

/** Returns the withdrawal with its final status. Throws INVALID_STATE if this end is not possible. */
function requireEnd(before: Withdrawal, step: EndRequest['step'], now: Date): Withdrawal {
  const sent = step === 'reject' ? before : alreadySent(before, now);
  const status = requireNextStatus(sent.status, step);
  if (step !== 'reject' && methodOf(before) === 'PIX') {
    const message = 'a Pix payout ends by its provider’s answer; the platform asks again';
    throw new Refusal('conflict', 'INVALID_STATE', message);
  }
  return { ...sent, status };
}

interface EndTed {
  database: Database;
  clock: Clock;
  countDecision: CountDecision;
  fourEyesThreshold: Cents;
  proposals: Omit<Parameters<typeof requestChange>[0], 'actions'>;
  /** The actions that two operators propose and approve. */
  teds: Record<'complete' | 'fail', ProposedAction<Withdrawal>>;
}

type TedEnd = Exclude<EndRequest, { step: 'reject' }> & { by: { operatorId: string } };

/**
 * Records the end of a TED, or stores a proposal for a second operator. A second operator is needed above a
 * sum of the day, and in production for a TED that the service has not started.
 */
export async function endTed(
  { proposals, teds, countDecision, fourEyesThreshold: limit, ...dependencies }: EndTed,
  request: TedEnd,
): Promise<Requested<Withdrawal>> {
  const { database, clock } = dependencies;
  const { id, step, by, ...given } = request;
  const { operatorId } = by;
  const found = await getForDecider(database, id, by);
  requireEnd(found, step, clock());
  const { merchantId, environment, amount } = found;
  const action = teds[step];
  const decision = { subjectId: id, action: action.name, operatorId, merchantId, amount, limit };
  const isUnstarted = isUnstartedTed(found);
  if (environment === 'sandbox' || (!isUnstarted && (await countDecision(decision))))
    return { done: await endByOperator(dependencies, request) };
  const change = { merchantId, environment, amount, subjectId: id };
  const shown = { id, merchantId, amount, ...(isUnstarted && { isUnstarted }) };
  return requestChange(proposals, action, {
    ...{ ...change, operatorId, arguments: { ...shown, ...given } },
    ...('reason' in given && { reason: given.reason }),
  });
}

/** Starts an approved TED if an operator reports its result before the scheduler has started it. */
function alreadySent(withdrawal: Withdrawal, now: Date): Withdrawal {
  return isUnstartedTed(withdrawal) ? withTedStarted(withdrawal, now) : withdrawal;
}

function isUnstartedTed(withdrawal: Withdrawal): boolean {
  return methodOf(withdrawal) === 'TED' && withdrawal.status === 'APPROVED';
}

/** Returns the bank's number of the transfer or of its return, for the audit log. */
function documentOf(request: EndRequest, { providerTxId }: Withdrawal): Record<string, string> {
  if (providerTxId) return { providerTxId };
  return request.step === 'fail' && request.bankReference ? { bankReference: request.bankReference } : {};
}

function detailsOf(request: EndRequest): Partial<Withdrawal> {
  switch (request.step) {
    case 'reject':
      return { rejectedReason: request.reason };
    case 'complete':
      return { providerTxId: request.providerTxId };
    default:
      return { failureReason: 'refused_by_bank', failureDetail: request.reason };
  }
}
