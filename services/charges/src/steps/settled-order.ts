import type { Transaction } from '@plataforma/data';
import { type Clock, Refusal } from '@plataforma/kernel';
import { type Log, mask } from '@plataforma/observe';
import { type Alarm, isEnd, LeaseOver, type OrderTerms, type Settlement } from '@plataforma/work';
import type { RefundOutcome } from '../domain/refund-outcome.ts';
import { sometimes } from '../fail-points.ts';
import { type NewAlarm, raiseAlarm } from '../store/new-alarms.ts';

export type RefundSettlement = Settlement<RefundOutcome>;

/** Looked at after a second, at last every ten minutes; for a day after it failed, should it be on its way after all. */
export const TERMS: Pick<OrderTerms, 'backoff' | 'watch'> = {
  backoff: { kind: 'doubling', firstMs: 1_000, longestMs: 600_000 },
  watch: { everyMs: 900_000, forMs: 24 * 3_600_000 },
};

/** What operators read: why an order has failed, or what stopped it last. `cancelled`: why it never left. */
export function failureAfter(
  { failure }: { failure: string | null },
  { verb, next, finding, isLate }: RefundSettlement,
  cancelled: string,
): string | null {
  if (verb === 'cancel') return cancelled;
  if (verb === 'give_up') return failure ?? 'the provider refused it';
  if (finding.kind === 'answer' && 'reason' in finding.outcome)
    return verb ? finding.outcome.reason : failure;
  if (isEnd(next.status)) return next.status === 'DONE' ? null : failure;
  if (finding.kind !== 'unknown') return finding.kind === 'not_found' ? failure : null;
  return isLate || next.status === 'UNCONFIRMED' ? failure : mask(messageOf(finding.error));
}

/** What is no refusal is a defect of ours, and the order may wait for its mending. */
export function report(
  log: Log,
  { id, what }: { id: string; what: string },
  { finding, isLate }: RefundSettlement,
): void {
  if (isLate && finding.kind === 'answer') sometimes('late refund result fenced');
  if (finding.kind !== 'unknown') return;
  if (finding.error instanceof LeaseOver) sometimes('late refund order fenced');
  if (!(finding.error instanceof Refusal)) log.error({ err: finding.error, id }, `${what} does not get on`);
}

type RefundAlarm = Pick<NewAlarm, 'subject' | 'chargeId' | 'merchantId' | 'environment' | 'amount'> & {
  id: string;
};

/** Operators settle what a provider says against the record; `amount` is what it says has moved. */
export async function raise(
  { tx, clock, log }: { tx: Transaction; clock: Clock; log: Log },
  { subject, id: subjectId, ...order }: RefundAlarm,
  { kind, amount }: Pick<Alarm, 'kind' | 'amount'>,
): Promise<void> {
  const { chargeId, merchantId, environment } = order;
  const about = { subject, subjectId, chargeId, merchantId, environment };
  const isNew = await raiseAlarm(tx, { ...about, kind, amount: amount ?? order.amount, at: clock() });
  if (isNew) log.error({ ...about, kind }, 'a provider contradicts the record');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
