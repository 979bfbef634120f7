import type { Transaction } from '@plataforma/data';
import { type Clock, Refusal } from '@plataforma/kernel';
import { type Log, mask } from '@plataforma/observe';
import { type Alarm, isEnd, LeaseOver } from '@plataforma/work';
import type { RefundDecision } from '../domain/refund-outcome.ts';
import { situation } from '../fail-points.ts';
import { type NewAlarm, raiseAlarm } from './new-alarms.ts';

/**
 * Returns the reason why an order failed, or the cause of its last delay, for operators. `cancelled` is the
 * reason for an order that was never sent.
 */
export function failureAfter(
  { failure }: { failure: string | null },
  { verb, next, input, isLate }: RefundDecision,
  cancelled: string,
): string | null {
  if (verb === 'cancel') return cancelled;
  if (verb === 'give_up') return failure ?? 'the provider refused it';
  if (input.kind === 'answer' && 'reason' in input.outcome) return verb ? input.outcome.reason : failure;
  if (isEnd(next.status)) return next.status === 'DONE' ? null : failure;
  if (input.kind !== 'unknown') return input.kind === 'not_found' ? failure : null;
  return isLate || next.status === 'UNCONFIRMED' ? failure : mask(messageOf(input.error));
}

/**
 * Logs an error that is not a Refusal. Such an error is a defect, and the order waits until the defect is
 * fixed.
 */
export function reportOutcome(
  log: Log,
  { id, noun }: { id: string; noun: string },
  { input, isLate }: RefundDecision,
): void {
  if (isLate && input.kind === 'answer') situation('late refund result fenced');
  if (input.kind !== 'unknown') return;
  if (input.error instanceof LeaseOver) situation('late refund order fenced');
  if (!(input.error instanceof Refusal)) log.error({ err: input.error, id }, `${noun} does not get on`);
}

type ReturnedOrder = Pick<NewAlarm, 'subject' | 'chargeId' | 'merchantId' | 'environment' | 'amount'> & {
  id: string;
};

/**
 * Raises an alarm when the provider contradicts the record. `amount` is the amount that the provider reports.
 */
export async function raiseOrderAlarm(
  tx: Transaction,
  { clock, log }: { clock: Clock; log: Log },
  { subject, id: subjectId, ...order }: ReturnedOrder,
  { kind, amount }: Pick<Alarm, 'kind' | 'amount'>,
): Promise<void> {
  const { chargeId, merchantId, environment } = order;
  const about = { subject, subjectId, chargeId, merchantId, environment };
  const isNew = await raiseAlarm(tx, { ...about, kind, amount: amount ?? order.amount, at: clock() });
  if (isNew) log.error({ ...about, kind }, 'provider contradicts the record');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
