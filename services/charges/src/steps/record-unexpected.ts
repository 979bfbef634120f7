import type { Transaction } from '@plataforma/data';
import type { Announcement } from '@plataforma/events';
import { type Environment, newId, PLATFORM_ID } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import { aheadOf } from '@plataforma/service';
import { type Cause, type Payment, returnEndToEndIdOf, type UnexpectedPayment } from '../domain/payment.ts';
import { checkoutOf, insertUnexpectedPayment } from '../store/unexpected-arrivals.ts';

interface UnexpectedMoney extends Payment {
  environment: Environment;
  merchantId: string | null;
  chargeId: string | null;
  txid: string | null;
  cause: Cause;
}

/** Writes down money that paid nothing: the books hold it aside, and the clock sends it back unless it is held. Once per payment. */
export async function recordUnexpected(tx: Transaction, money: UnexpectedMoney): Promise<void> {
  const payment = { ...money, id: newId() };
  const { merchantId, environment } = money;
  const aheadMs = merchantId === null ? 0 : await aheadOf(tx, { merchantId, environment });
  const isNew = await insertUnexpectedPayment(tx, payment, aheadMs);
  if (!isNew) return;
  await announce(tx, unexpectedAnnouncementOf({ ...payment, returnedAt: null }));
  await tellMerchant(tx, { ...payment, status: 'RETURNING', reference: null, returnedAt: null });
}

type Shown = UnexpectedMoney & Pick<UnexpectedPayment, 'id' | 'status' | 'reference' | 'returnedAt'>;

/** The merchant whose charge the money names hears when it came, and when its way back has ended. */
export async function tellMerchant(tx: Transaction, payment: Shown): Promise<void> {
  const { id, merchantId, chargeId, cause, environment, txid, endToEndId, amount, status } = payment;
  if (!merchantId || !chargeId || cause === 'UNKNOWN_CHARGE') return;
  const at = { paidAt: payment.paidAt.toISOString(), returnedAt: payment.returnedAt?.toISOString() ?? null };
  const checkout = await checkoutOf(tx, chargeId);
  const returnEndToEndId = returnEndToEndIdOf(payment);
  const names = { id, chargeId, ...checkout, txid, endToEndId, returnEndToEndId };
  const data = { ...names, amount, cause, status, ...at };
  const sequence = status === 'RETURNING' ? 1 : 2;
  const about = { merchantId, environment, aggregateId: id, sequence };
  await announce(tx, { ...about, type: 'payment.unexpected', data });
}

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
