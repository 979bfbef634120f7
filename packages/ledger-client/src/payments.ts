import type { PeerAnswer } from '@plataforma/http';
import type { Cents, Environment } from '@plataforma/kernel';
import { z } from 'zod';
import { unavailable } from './answers.ts';

/**
 * A payment in the ledger, with the refunds, returns and lost disputes recorded so far. Amounts are cents.
 */
export interface BookedPayment {
  kind: 'charge_paid' | 'unexpected_payment_received';
  /** The id of the charge or the unmatched payment. */
  reference: string;
  merchantId: string;
  paymentMethod: 'PIX' | 'CARD';
  received: Cents;
  returned: Cents;
  lost: Cents;
}

export interface PaymentsOfPeriod {
  environment: Environment;
  from: Date;
  /** The end of the period (exclusive). */
  to: Date;
}

const PAGE_SIZE = 1000;

const page = z.object({
  data: z.array(
    z.object({
      kind: z.enum(['charge_paid', 'unexpected_payment_received']),
      reference: z.string(),
      merchantId: z.string(),
      paymentMethod: z.enum(['PIX', 'CARD']),
      received: z.int(),
      returned: z.int(),
      lost: z.int(),
    }),
  ),
  next: z.string().nullable(),
});

/** Yields all pages of a period. Throws SERVICE_UNAVAILABLE if the ledger's response cannot be used. */
export async function* pagesOf(
  read: (path: string) => Promise<PeerAnswer>,
  period: PaymentsOfPeriod,
): AsyncIterable<BookedPayment[]> {
  let after: string | null = null;
  do {
    const { data, next } = pageIn(await read(`/internal/payments?${queryOf(period, after)}`));
    if (data.length > 0) yield data;
    // If the ledger returned the same cursor again, the loop would never end.
    if (next !== null && next === after) throw unavailable();
    after = next;
  } while (after !== null);
}

function pageIn({ status, body }: PeerAnswer): z.infer<typeof page> {
  const result = page.safeParse(body);
  if (status !== 200 || !result.success) throw unavailable();
  return result.data;
}

function queryOf({ environment, from, to }: PaymentsOfPeriod, after: string | null): URLSearchParams {
  return new URLSearchParams({
    environment,
    from: from.toISOString(),
    to: to.toISOString(),
    limit: String(PAGE_SIZE),
    ...(after === null ? {} : { after }),
  });
}
