import { fromDecimal, later, newId } from '@plataforma/kernel';
import type { Reply } from '@plataforma/testing';
import { z } from 'zod';
import type { createPixBook, Pix } from './pix-book.ts';

const orderedPayment = z.strictObject({
  orderId: z.uuid().optional(),
  amount: z.int().optional(),
  times: z.int().optional(),
  aheadMs: z.int().positive().optional(),
});
const orderedDispute = z.strictObject({
  endToEndId: z.string().optional(),
  orderId: z.uuid(),
  amount: z.int().optional(),
  reason: z.enum(['FRAUD', 'OPERATIONAL_FLAW']),
  description: z.string().optional(),
  aheadMs: z.int().positive().optional(),
});

const unknown: Reply = { status: 404, body: { error: { message: 'there is no charge with this txid' } } };
const disputed: Reply = { status: 409, body: { error: { message: 'the payment is disputed already' } } };

/**
 * Creates the fake bank's API, which orders payers to pay and their banks to contest payments. An order with
 * a known id is not executed again.
 */
export function createFakeControl(book: ReturnType<typeof createPixBook>) {
  const orders = new Map<string, Pix[]>();

  return {
    pay(txid: string, body: string): Reply {
      const { orderId = newId(), aheadMs = 0, ...payment } = orderedPayment.parse(JSON.parse(body));
      if (!book.find(txid)) return unknown;
      const payments = orders.get(orderId) ?? book.pay(txid, { ...payment, insists: true });
      if (!orders.has(orderId))
        for (const pix of payments) pix.horario = later(new Date(pix.horario), aheadMs).toISOString();
      orders.set(orderId, payments);
      return { status: 200, body: { payments } };
    },
    dispute(txid: string, body: string): Reply {
      const { orderId, amount, reason, description = '', ...named } = orderedDispute.parse(JSON.parse(body));
      const payments = book.find(txid)?.payments ?? [];
      const payment = payments.find(({ endToEndId }) => endToEndId === named.endToEndId) ?? payments[0];
      if (!payment) return unknown;
      const existing = book.infractions.all().find(({ endToEndId }) => endToEndId === payment.endToEndId);
      if (existing && existing.idInfracao !== orderId) return disputed;
      const cents = amount ?? fromDecimal(payment.valor) ?? 0;
      const report = { idInfracao: orderId, motivo: reason, descricao: description };
      const { idInfracao } = existing ?? book.infractions.report(payment.endToEndId, cents, report);
      return { status: 200, body: { idInfracao } };
    },
    // This fake has no card charges, so a test scripts the answer to a chargeback.
    chargeBack: (): Reply => unknown,
  };
}
