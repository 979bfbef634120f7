import type { Database } from '@plataforma/data';
import type { Announcement } from '@plataforma/events';
import { newId, type Tenant } from '@plataforma/kernel';
import { signedHeaders } from '@plataforma/testing';
import { connect } from 'amqplib';

const names = () => ({
  externalId: 'pedido-1',
  endToEndId: 'E1',
  ...{
    installments: 3,
    cardBrand: 'visa',
    nsu: '000123456',
    authorizationCode: 'A1B2C3',
    acquirerId: 'ch_1',
  },
  metadata: { loja: 'matriz' },
});

const charge = () => ({
  id: newId(),
  txid: newId().replaceAll('-', ''),
  paymentMethod: 'PIX' as const,
  amount: 2500,
  feeAmount: 25,
  netAmount: 2475,
  ...names(),
});

export function paid(tenant: Tenant): Extract<Announcement, { type: 'charge.paid' }> {
  const data = { ...charge(), status: 'PAID' as const, paidAt: '2026-11-21T12:00:00.000Z', settlesAt: null };
  return { ...tenant, type: 'charge.paid', aggregateId: data.id, sequence: 1, data };
}

export function expired(tenant: Tenant): Extract<Announcement, { type: 'charge.expired' }> {
  const data = { ...charge(), status: 'EXPIRED' as const, paidAt: null };
  return { ...tenant, type: 'charge.expired', aggregateId: data.id, sequence: 1, data };
}

/** Returns the event of a cancelled charge, which is a live update. */
export function cancelled(tenant: Tenant): Extract<Announcement, { type: 'charge.cancelled' }> {
  const data = { ...charge(), status: 'CANCELLED' as const, paidAt: null };
  return { ...tenant, type: 'charge.cancelled', aggregateId: data.id, sequence: 1, data };
}

type Refunded = Extract<Announcement, { type: 'charge.refunded' }>;

export function refunded(tenant: Tenant, refundReason: string | null = 'produto devolvido'): Refunded {
  const data = {
    ...charge(),
    status: 'REFUNDED' as const,
    paidAt: '2026-11-20T12:00:00.000Z',
    refundedAmount: 2475,
    refundedAt: '2026-11-21T12:00:00.000Z',
    refundReason,
  };
  return { ...tenant, type: 'charge.refunded', aggregateId: data.id, sequence: 2, data };
}

const dispute = () => ({
  id: newId(),
  chargeId: newId(),
  paymentMethod: 'PIX' as const,
  ...names(),
  amount: 2500,
  reason: 'FRAUD',
  description: 'o pagador diz que não reconhece "isto"',
  deadline: '2026-11-28T12:00:00.000Z',
  createdAt: '2026-11-21T12:00:00.000Z',
});

export function disputeOpened(tenant: Tenant): Extract<Announcement, { type: 'dispute.opened' }> {
  const data = { ...dispute(), status: 'OPEN' as const };
  return { ...tenant, type: 'dispute.opened', aggregateId: data.id, sequence: 1, data };
}

type DisputeResolved = Extract<Announcement, { type: 'dispute.resolved' }>;

export function disputeResolved(tenant: Tenant, status: DisputeResolved['data']['status']): DisputeResolved {
  const resolvedAt = '2026-11-25T12:00:00.000Z';
  const data = { ...dispute(), status, resolvedAt, resolution: 'a entrega foi provada' };
  return { ...tenant, type: 'dispute.resolved', aggregateId: data.id, sequence: 3, data };
}

/** Returns the event of a payment that names a charge but did not pay it. */
export function unexpectedPayment(tenant: Tenant): Extract<Announcement, { type: 'payment.unexpected' }> {
  const data = {
    ...{ id: newId(), chargeId: newId(), txid: newId().replaceAll('-', ''), endToEndId: 'E1', amount: 2500 },
    ...{ cause: 'LATE' as const, status: 'RETURNING' as const },
    ...{ paidAt: '2026-11-21T12:00:00.000Z', returnedAt: null },
  };
  return { ...tenant, type: 'payment.unexpected', aggregateId: data.id, sequence: 1, data };
}

const payment = () => ({ id: newId(), paymentMethod: 'PIX' as const, amount: 2500 });

/** Returns one event of each type that is sent to services but not to merchants. */
export function internalEventsOf(tenant: Tenant): Announcement[] {
  const refund = { ...payment(), chargeId: newId(), refusedAt: '2026-11-21T12:00:00.000Z' };
  const received = { ...payment(), paidAt: '2026-11-21T12:00:00.000Z' };
  const returned = { ...received, returnedAt: '2026-11-21T12:00:05.000Z' };
  return [
    { ...tenant, type: 'refund.refused', aggregateId: refund.id, sequence: 1, data: refund },
    { ...tenant, type: 'unexpected_payment.received', aggregateId: received.id, sequence: 1, data: received },
    { ...tenant, type: 'unexpected_payment.returned', aggregateId: received.id, sequence: 2, data: returned },
  ];
}

/** Returns the text of the message that publishes an event. */
export function messageOf(announcement: Announcement): string {
  const occurredAt = new Date().toISOString();
  return JSON.stringify({ ...announcement, id: newId(), version: 1, occurredAt, traceparent: null });
}

/**
 * Publishes a message to the webhooks service without an outbox. It goes to the exchange or directly to the
 * service's queue.
 */
export async function publish(
  brokerUrl: string,
  body: string,
  { exchange = 'payments.events', key }: { exchange?: string; key: string },
): Promise<void> {
  const connection = await connect(brokerUrl);
  const channel = await connection.createConfirmChannel();
  channel.publish(exchange, key, Buffer.from(body), { persistent: true, headers: signedHeaders(body) });
  await channel.waitForConfirms();
  await connection.close();
}

export async function countDeadLetters(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>('SELECT count(*) AS count FROM dead_letters');
  return row?.count ?? -1;
}
