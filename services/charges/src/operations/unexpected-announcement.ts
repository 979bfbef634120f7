import type { Announcement } from '@plataforma/events';
import { PLATFORM_ID } from '@plataforma/kernel';
import type { UnexpectedPayment } from '../domain/payment.ts';

/** What the books are told of money that came and paid nothing, and of its way back. */
export function unexpectedAnnouncementOf(
  payment: Pick<UnexpectedPayment, 'id' | 'merchantId' | 'environment' | 'amount' | 'paidAt' | 'returnedAt'>,
): Announcement {
  const { id, environment, amount, returnedAt } = payment;
  const merchantId = payment.merchantId ?? PLATFORM_ID;
  const data = { id, paymentMethod: 'PIX' as const, amount, paidAt: payment.paidAt.toISOString() };
  const about = { merchantId, environment, aggregateId: id };
  if (returnedAt === null) return { ...about, type: 'unexpected_payment.received', sequence: 1, data };
  const returned = { ...data, returnedAt: returnedAt.toISOString() };
  return { ...about, type: 'unexpected_payment.returned', sequence: 2, data: returned };
}
