import type { Database, Log, Transaction } from '@plataforma/chassis';
import { announce } from '@plataforma/messaging';
import { type Charge, statusAfter } from '../domain/charge.ts';
import { type Payment, settle } from '../domain/payment.ts';
import type { PixProviders } from '../pix/providers.ts';
import { findChargeByTxid, lockCharge, saveCharge } from '../store/charges.ts';
import { insertPayment, recordedPayments } from '../store/payments.ts';
import { announcementOf } from './announcement.ts';

interface ConfirmPayment {
  database: Database;
  pix: PixProviders;
  log: Log;
}

/** Asks the provider what it received for a charge and believes only that. Safe to call for any reason, any time. */
export async function confirmPayment({ database, pix, log }: ConfirmPayment, txid: string): Promise<void> {
  const charge = await findChargeByTxid(database, txid);
  if (!charge) {
    log.warn({ txid }, 'told of a payment for a charge that is not ours');
    return;
  }
  const known = await pix(charge.environment).find(txid);
  if (known && known.payments.length > 0) await recordPayments({ database, log }, charge.id, known.payments);
}

/** Records payments the provider vouches for, and moves the charge to PAID by the first that fits. */
export async function recordPayments(
  { database, log }: Pick<ConfirmPayment, 'database' | 'log'>,
  chargeId: string,
  payments: readonly Payment[],
): Promise<void> {
  await database.transaction(async (tx) => {
    const charge = await lockCharge(tx, chargeId);
    const recorded = await recordedPayments(tx, chargeId);
    const { paidBy, unexpected } = settle(
      charge,
      payments.filter(({ endToEndId }) => !recorded.has(endToEndId)),
    );
    if (paidBy) await pay(tx, charge, paidBy);
    for (const payment of unexpected) {
      await insertPayment(tx, charge, { payment, isExpected: false });
      log.error(
        { chargeId, status: charge.status },
        'unexpected payment recorded; it must be returned to its payer',
      );
    }
  });
}

async function pay(tx: Transaction, charge: Charge, payment: Payment): Promise<void> {
  const status = statusAfter(charge.status, 'pay');
  if (!status) throw new Error('a charge was settled that can’t be paid');
  const { endToEndId, paidAt } = payment;
  const paid = { ...charge, status, paidAt, endToEndId, sequence: charge.sequence + 1 };
  await insertPayment(tx, charge, { payment, isExpected: true });
  await saveCharge(tx, paid);
  await announce(tx, announcementOf(paid));
}
