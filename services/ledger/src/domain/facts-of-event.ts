import type { DomainEvent, EventType, subscriptions } from '@plataforma/events';
import type { Fact, FactOf } from './fact.ts';
import type { SubjectNames } from './statement.ts';

/**
 * An event that may change balances. `merchant.clock_moved` is excluded, because the ledger posts nothing for
 * it.
 */
export type FactEvent = Exclude<DomainEvent, { type: 'merchant.clock_moved' }>;

type EventOf<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

/**
 * Returns the facts of an event, in the order in which they happened. Throws for an unknown type, so that an
 * event that may be about money becomes a dead letter and is not lost.
 */
export function ledgerFactsOf(event: FactEvent): Fact[] {
  switch (event.type) {
    case 'charge.paid':
      return [chargePaid(event)];
    case 'charge.refunded':
      // The refund's debit was posted when the charges service requested the refund.
      return [];
    case 'refund.refused':
      return [refundRefused(event)];
    case 'dispute.opened':
      return [disputeOpened(event)];
    case 'dispute.resolved':
      return [disputeOpened(event), disputeEnded(event)];
    case 'withdrawal.completed':
      return [withdrawalCompleted(event)];
    case 'withdrawal.failed':
      return [withdrawalEnded(event, 'withdrawal_returned', event.data.failedAt)];
    case 'withdrawal.rejected':
      return [withdrawalEnded(event, 'withdrawal_returned', event.data.rejectedAt)];
    case 'withdrawal.abandoned':
      return [withdrawalAbandoned(event)];
    case 'unexpected_payment.received':
      return [unmatchedReceived(event)];
    case 'unexpected_payment.returned':
      return [unmatchedReceived(event), unmatchedReturned(event)];
    default:
      throw unknownEvent(event);
  }
}

/** Returns the event's ids and names that statement rows show. Events of release 0.6.0 contain none. */
export function namesIn(event: DomainEvent): SubjectNames[] {
  const names = namesOf(event);
  const unknown = { endToEndId: null, nsu: null, authorizationCode: null, personName: null };
  const isEmpty = !Object.values({ ...names, subjectId: null }).some(Boolean);
  return names?.subjectId && !isEmpty ? [{ ...unknown, ...names, subjectId: names.subjectId }] : [];
}

function namesOf(event: DomainEvent): Partial<SubjectNames> | null {
  switch (event.type) {
    case 'charge.paid': {
      const {
        id: subjectId,
        nsu = null,
        authorizationCode = null,
        payerName: personName = null,
      } = event.data;
      return { subjectId, nsu, authorizationCode, personName };
    }
    case 'charge.refunded': {
      const { refund } = event.data;
      return refund ? { subjectId: refund.id, endToEndId: refund.endToEndId ?? null } : null;
    }
    case 'withdrawal.completed':
    case 'withdrawal.failed':
    case 'withdrawal.rejected': {
      const { id: subjectId, bankAccount } = event.data;
      const payeeName = 'payeeName' in event.data ? event.data.payeeName : null;
      return { subjectId, personName: bankAccount?.holderName ?? payeeName ?? null };
    }
    default:
      return null;
  }
}

/** This function compiles only if the switch above handles every event to which the ledger subscribes. */
function unknownEvent({
  type,
}: {
  type: Exclude<EventType, (typeof subscriptions)['ledger'][number]>;
}): Error {
  return new Error(`the books have no posting for ${type}`);
}

function originOf({
  id,
  merchantId,
  environment,
}: Pick<EventOf<'charge.paid'>, 'id' | 'merchantId' | 'environment'>) {
  return { merchantId, environment, orderedBy: `event:${id}` as const };
}

function chargePaid(event: EventOf<'charge.paid'>): FactOf<'charge_paid'> {
  const { id, paymentMethod, amount, feeAmount, netAmount, externalId, paidAt } = event.data;
  const { settlesAt, endToEndId = null } = event.data;
  if (netAmount !== amount - feeAmount) throw new Error('the amounts of a charge.paid contradict each other');
  const money = { method: paymentMethod, amount, fee: feeAmount, settlesAt, endToEndId };
  return {
    kind: 'charge_paid',
    ...originOf(event),
    reference: id,
    occurredAt: paidAt,
    ...money,
    externalId,
  };
}

function refundRefused(event: EventOf<'refund.refused'>): FactOf<'refund_refused'> {
  const { id, chargeId, paymentMethod, amount, refusedAt } = event.data;
  const money = { chargeId, method: paymentMethod, amount };
  return { kind: 'refund_refused', ...originOf(event), reference: id, occurredAt: refusedAt, ...money };
}

type DisputeEvent = EventOf<'dispute.opened'> | EventOf<'dispute.resolved'>;

/**
 * Builds the fact of a dispute's opening from any event of the dispute. If the event of the dispute's end
 * arrives first, the ledger posts opening and end.
 */
function disputeOpened(event: DisputeEvent): FactOf<'dispute_opened'> {
  const { id, chargeId, paymentMethod, amount, createdAt } = event.data;
  const money = { chargeId, method: paymentMethod, amount };
  return { kind: 'dispute_opened', ...originOf(event), reference: id, occurredAt: createdAt, ...money };
}

function disputeEnded(event: EventOf<'dispute.resolved'>): FactOf<'dispute_won' | 'dispute_lost'> {
  const { id, chargeId, paymentMethod, amount, resolvedAt, status } = event.data;
  const money = { chargeId, method: paymentMethod, amount };
  const kind = status === 'RESOLVED_CUSTOMER' ? 'dispute_lost' : 'dispute_won';
  const ended = { ...originOf(event), reference: id, occurredAt: resolvedAt, ...money };
  return status === 'CANCELLED' ? { kind: 'dispute_won', ...ended, isCancelled: true } : { kind, ...ended };
}

type WithdrawalEvent = EventOf<'withdrawal.completed' | 'withdrawal.failed' | 'withdrawal.rejected'>;

/**
 * The provider's id of a Pix is its end-to-end id. For a TED an operator entered this id, so it is not used.
 */
function withdrawalCompleted(event: EventOf<'withdrawal.completed'>): Fact {
  const { method, providerTxId, completedAt } = event.data;
  const endToEndId = method === 'PIX' ? providerTxId : null;
  return { ...withdrawalEnded(event, 'withdrawal_completed', completedAt), endToEndId };
}

function withdrawalAbandoned(event: EventOf<'withdrawal.abandoned'>): FactOf<'withdrawal_returned'> {
  const { id: reference, netAmount, fee, abandonedAt: occurredAt } = event.data;
  const details = { reference, occurredAt, netAmount, fee, isAbandoned: true as const };
  return { kind: 'withdrawal_returned', ...originOf(event), ...details };
}

/**
 * Builds the fact of a withdrawal's end. The withdrawals service requests the debit before it publishes the
 * end, so the ledger has posted the debit already.
 */
function withdrawalEnded(
  event: WithdrawalEvent,
  kind: 'withdrawal_completed' | 'withdrawal_returned',
  occurredAt: string,
): FactOf<'withdrawal_completed' | 'withdrawal_returned'> {
  const { id: reference, netAmount, fee } = event.data;
  return { kind, ...originOf(event), reference, occurredAt, netAmount, fee };
}

type UnmatchedPaymentEvent = EventOf<'unexpected_payment.received'> | EventOf<'unexpected_payment.returned'>;

function unmatchedReceived(event: UnmatchedPaymentEvent): FactOf<'unexpected_payment_received'> {
  const { id, paymentMethod: method, amount, paidAt } = event.data;
  const details = { reference: id, occurredAt: paidAt, method, amount };
  return { kind: 'unexpected_payment_received', ...originOf(event), ...details };
}

function unmatchedReturned(
  event: EventOf<'unexpected_payment.returned'>,
): FactOf<'unexpected_payment_returned'> {
  const { id, paymentMethod: method, amount, returnedAt } = event.data;
  const details = { reference: id, occurredAt: returnedAt, method, amount };
  return { kind: 'unexpected_payment_returned', ...originOf(event), ...details };
}
