import { z } from 'zod';
import type { Payment } from '../domain/payment.ts';
import { amount, endToEndId, instant, txid } from './pix-fields.ts';
import type { createPixPages, Period } from './pix-pages.ts';

/** A Pix that came to our key, with or without a charge of ours. */
export interface ProviderPayment extends Payment {
  txid: string | null;
}

const pix = z.object({ endToEndId, txid, valor: amount, horario: instant }).transform(
  (each): ProviderPayment => ({
    endToEndId: each.endToEndId,
    txid: each.txid,
    amount: each.valor,
    paidAt: each.horario,
  }),
);

/** Received Pix (`/pix`). */
export function createPixPayments(pages: ReturnType<typeof createPixPages>) {
  return {
    listPayments: (period: Period): AsyncIterable<ProviderPayment[]> =>
      pages({ path: '/v2/pix', period, field: 'pix', item: pix }),
  };
}
