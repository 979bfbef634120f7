import type { Cents } from '@plataforma/kernel';
import { z } from 'zod';
import type { Payment } from '../domain/payment.ts';
import { amount, endToEndId, instant, txid } from './pix-fields.ts';
import type { createPixPages, Period } from './pix-pages.ts';

/** A Pix that came to our key, with or without a charge of ours. */
export interface ProviderPayment extends Payment {
  txid: string | null;
  /** What went back, or is on its way, because we asked for it. */
  returned: Cents;
  /** What the provider took back for the payer's bank (MED). */
  takenBack: Cents;
}

const devolucao = z.object({ valor: amount, status: z.string(), natureza: z.string().nullish() });
type Devolucao = z.infer<typeof devolucao>;

const pix = z
  .object({
    endToEndId,
    txid,
    valor: amount,
    horario: instant,
    devolucoes: z.array(z.unknown()).nullish().catch(null),
  })
  .transform((each): ProviderPayment => {
    const refunds = (each.devolucoes ?? []).flatMap((it) => devolucao.safeParse(it).data ?? []);
    const standing = refunds.filter(({ status }) => status !== 'NAO_REALIZADO');
    return {
      endToEndId: each.endToEndId,
      txid: each.txid,
      amount: each.valor,
      paidAt: each.horario,
      returned: total(standing.filter((refund) => !isOfPayersBank(refund))),
      takenBack: total(standing.filter(isOfPayersBank)),
    };
  });

/** `natureza` begins so for returns that the receiver did not ask for (API Pix 2.9.0). */
function isOfPayersBank({ natureza }: Devolucao): boolean {
  return natureza?.startsWith('MED') ?? false;
}

function total(refunds: readonly Devolucao[]): Cents {
  return refunds.reduce((sum, { valor }) => sum + valor, 0);
}

/** Received Pix (`/pix`). */
export function createPixPayments(pages: ReturnType<typeof createPixPages>) {
  return {
    listPayments: (period: Period): AsyncIterable<ProviderPayment[]> =>
      pages({ path: '/v2/pix', period, field: 'pix', item: pix }),
  };
}
