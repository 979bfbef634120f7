import type { Cents } from '@plataforma/kernel';
import { z } from 'zod';
import type { PixReceiptWithReturns } from '../domain/payment.ts';
import { amount, endToEndId, instant, txid } from './pix-fields.ts';
import type { createPixPages, Period } from './pix-pages.ts';

/** A Pix in the provider's list of payments to the platform's key. It may name no charge of the platform. */
export interface ListedPixReceipt extends PixReceiptWithReturns {
  txid: string | null;
}

const devolucao = z.object({ valor: amount, status: z.string(), natureza: z.string().nullish() });
type Devolucao = z.infer<typeof devolucao>;

const pix = z.object({
  endToEndId,
  valor: amount,
  horario: instant,
  devolucoes: z.array(z.unknown()).nullish().catch(null),
});

export const pixOfCharge = pix.transform(received);

const listedPix = pix
  .extend({ txid })
  .transform((each): ListedPixReceipt => ({ ...received(each), txid: each.txid }));

function received({ endToEndId, valor, horario, devolucoes }: z.infer<typeof pix>): PixReceiptWithReturns {
  const refunds = (devolucoes ?? []).flatMap((it) => devolucao.safeParse(it).data ?? []);
  const effective = refunds.filter(({ status }) => status !== 'NAO_REALIZADO');
  return {
    endToEndId,
    amount: valor,
    paidAt: horario,
    returned: total(effective.filter((refund) => !isOfPayersBank(refund))),
    takenBack: total(effective.filter(isOfPayersBank)),
  };
}

/**
 * Returns whether the payer's bank took the money back. `natureza` begins with MED for such returns (API Pix
 * 2.9.0).
 */
function isOfPayersBank({ natureza }: Devolucao): boolean {
  return natureza?.startsWith('MED') ?? false;
}

function total(refunds: readonly Devolucao[]): Cents {
  return refunds.reduce((sum, { valor }) => sum + valor, 0);
}

/** Lists received Pix (`/pix`). */
export function createPixPayments(pages: ReturnType<typeof createPixPages>) {
  return {
    listPayments: (period: Period): AsyncIterable<ListedPixReceipt[]> =>
      pages({ path: '/v2/pix', period, field: 'pix', item: listedPix }),
  };
}
