import type { Announcement } from '@plataforma/events';
import { newId, type Tenant } from '@plataforma/kernel';

type AnnouncementOf<T extends Announcement['type']> = Extract<Announcement, { type: T }>;
type Changes<T extends Announcement['type']> = Partial<AnnouncementOf<T>['data']>;

/** Returns a `charge.paid` event. The default amount is 2,500 cents, and the default fee 25 cents. */
export function paid(tenant: Tenant, changes: Changes<'charge.paid'> = {}): AnnouncementOf<'charge.paid'> {
  const { amount = 2500, feeAmount = 25, id = newId() } = changes;
  const data: AnnouncementOf<'charge.paid'>['data'] = {
    id,
    txid: id.replaceAll('-', ''),
    externalId: 'pedido-1',
    paymentMethod: 'PIX',
    amount,
    feeAmount,
    netAmount: amount - feeAmount,
    status: 'PAID',
    paidAt: '2026-11-21T12:00:00.000Z',
    settlesAt: null,
    ...changes,
  };
  return { ...tenant, type: 'charge.paid', aggregateId: id, sequence: 1, data };
}

export const FAR = '2099-01-01T00:00:00.000Z';

/**
 * Returns a `charge.paid` event of a card payment. Its settlement time is far in the future, so the money
 * stays pending.
 */
export function paidByCard(tenant: Tenant, changes: Changes<'charge.paid'> = {}) {
  return paid(tenant, { paymentMethod: 'CARD', settlesAt: FAR, ...changes });
}

type Paid = ReturnType<typeof paid>;

/** Returns the charges service's request for a refund. The default amount is the charge's net amount. */
export function refundOf(
  { merchantId, environment, data }: Paid,
  changes: { id?: string; amount?: number } = {},
) {
  const { id, externalId, paymentMethod, amount, feeAmount, netAmount, paidAt, settlesAt } = data;
  const charge = { id, externalId, paymentMethod, amount, feeAmount, netAmount, paidAt, settlesAt };
  const refund = { id: newId(), merchantId, environment, amount: netAmount, ...changes };
  return { ...refund, occurredAt: '2026-11-21T13:00:00.000Z', charge };
}

/**
 * Returns the event of a refund that the provider has paid. `endToEndId` is the Pix that returned the money.
 */
export function refundedBy(
  { id, amount, occurredAt: requestedAt }: ReturnType<typeof refundOf>,
  { data: charge, ...outer }: Paid,
  endToEndId: string | null,
): AnnouncementOf<'charge.refunded'> {
  const refundedAt = '2026-11-21T13:30:00.000Z';
  const refund = {
    id,
    amount,
    reason: null,
    status: 'REFUNDED' as const,
    requestedAt,
    refundedAt,
    endToEndId,
  };
  const returned = { refundedAmount: amount, refundedAt, refundReason: null, refund };
  const data = { ...charge, status: 'REFUNDED' as const, ...returned };
  return { ...outer, type: 'charge.refunded', sequence: 2, data };
}

export function refused(refund: ReturnType<typeof refundOf>): AnnouncementOf<'refund.refused'> {
  const { id, merchantId, environment, amount, charge } = refund;
  const { id: chargeId, paymentMethod } = charge;
  const data = { id, chargeId, paymentMethod, amount, refusedAt: '2026-11-21T14:00:00.000Z' };
  return { merchantId, environment, type: 'refund.refused', aggregateId: chargeId, sequence: 2, data };
}

/**
 * Returns the event that opens a dispute, and functions for its possible ends. The default amount is the
 * whole charge.
 */
export function disputeOf({ merchantId, environment, data: charge }: Paid, amount = charge.amount) {
  const id = newId();
  const dispute = {
    id,
    chargeId: charge.id,
    paymentMethod: charge.paymentMethod,
    amount,
    reason: 'fraud',
    description: 'not my order',
    deadline: FAR,
    createdAt: '2026-11-21T15:00:00.000Z',
  };
  const outer = { merchantId, environment, aggregateId: id };
  const opened: AnnouncementOf<'dispute.opened'> = {
    ...outer,
    type: 'dispute.opened',
    sequence: 1,
    data: { ...dispute, status: 'OPEN' },
  };
  const resolved = (
    status: AnnouncementOf<'dispute.resolved'>['data']['status'],
  ): AnnouncementOf<'dispute.resolved'> => ({
    ...outer,
    type: 'dispute.resolved',
    sequence: 2,
    data: { ...dispute, status, resolvedAt: '2026-11-21T16:00:00.000Z', resolution: 'looked at' },
  });
  return { id, opened, resolved };
}

/** Returns the events of an unmatched payment: its arrival and its return. */
export function unmatchedOf({ merchantId, environment }: Tenant, amount = 700) {
  const id = newId();
  const payment = { id, paymentMethod: 'PIX' as const, amount, paidAt: '2026-11-21T12:00:00.000Z' };
  const outer = { merchantId, environment, aggregateId: id };
  const received: AnnouncementOf<'unexpected_payment.received'> = {
    ...outer,
    type: 'unexpected_payment.received',
    sequence: 1,
    data: payment,
  };
  const returned: AnnouncementOf<'unexpected_payment.returned'> = {
    ...outer,
    type: 'unexpected_payment.returned',
    sequence: 2,
    data: { ...payment, returnedAt: '2026-11-21T17:00:00.000Z' },
  };
  return { id, received, returned };
}

type WithdrawalEnd = 'completed' | 'failed' | 'rejected' | 'abandoned';

/**
 * Returns the withdrawals service's request for a debit, by default of 1,000 cents plus a fee of 100, and the
 * events of its possible ends.
 */
export function withdrawalOf(
  tenant: Tenant,
  changes: { id?: string; netAmount?: number; fee?: number } = {},
) {
  const { id = newId(), netAmount = 1_000, fee = 100 } = changes;
  const debit = { id, netAmount, fee, method: 'PIX' as const };
  const order = { ...debit, ...tenant, occurredAt: '2026-11-21T18:00:00.000Z' };
  const named = { bankAccount: null, externalId: null };
  const payee = { pixKey: null, pixKeyType: null, ...named, amount: netAmount + fee };
  const data = { ...debit, ...payee, createdAt: order.occurredAt };
  const outer = { ...tenant, aggregateId: id, sequence: 2 };
  const at = '2026-11-21T19:00:00.000Z';
  const events: { [E in WithdrawalEnd]: AnnouncementOf<`withdrawal.${E}`> } = {
    completed: {
      ...outer,
      type: 'withdrawal.completed',
      data: { ...data, status: 'COMPLETED', providerTxId: 'tx-1', completedAt: at },
    },
    failed: {
      ...outer,
      type: 'withdrawal.failed',
      data: { ...data, status: 'FAILED', providerTxId: null, failedAt: at, failureReason: 'no such key' },
    },
    rejected: {
      ...outer,
      type: 'withdrawal.rejected',
      data: { ...data, status: 'REJECTED', providerTxId: null, rejectedAt: at, rejectedReason: 'unclear' },
    },
    abandoned: {
      ...outer,
      type: 'withdrawal.abandoned',
      data: { ...data, status: 'ABANDONED', abandonedAt: at },
    },
  };
  return { id, order, ...events };
}
