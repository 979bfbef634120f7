import type { Transaction } from '@plataforma/data';
import { type Environment, newId } from '@plataforma/kernel';
import { announce } from '@plataforma/messaging';
import type { Cause, Payment } from '../domain/payment.ts';
import { insertUnexpectedPayment } from '../store/payments.ts';
import { unexpectedAnnouncementOf } from './unexpected-announcement.ts';

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
  const isNew = await insertUnexpectedPayment(tx, payment);
  if (isNew) await announce(tx, unexpectedAnnouncementOf({ ...payment, returnedAt: null }));
}
