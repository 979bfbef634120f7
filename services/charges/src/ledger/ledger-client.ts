import { createExchange, IDENTITY_HEADER, type Signer } from '@plataforma/chassis';
import { type Cents, type Environment, Refusal } from '@plataforma/kernel';
import { z } from 'zod';

/** Money taken from a merchant's wallet to be returned to a payer. */
interface RefundDebit {
  /** The refund's id: asked twice, it is taken once. */
  id: string;
  merchantId: string;
  environment: Environment;
  amount: Cents;
  occurredAt: Date;
  /** The paid charge, so that a refund that overtakes the news of the payment finds its money. */
  charge: {
    id: string;
    externalId: string;
    paymentMethod: 'PIX' | 'CARD';
    amount: Cents;
    feeAmount: Cents;
    netAmount: Cents;
    paidAt: Date;
    settlesAt: Date | null;
  };
}

/** A payment as the books have it, with all that has become of it until now. */
export interface BookedPayment {
  kind: 'charge_paid' | 'unexpected_payment_received';
  /** The charge's id, or the unexpected payment's. */
  reference: string;
  merchantId: string;
  paymentMethod: 'PIX' | 'CARD';
  received: Cents;
  returned: Cents;
  lost: Cents;
}

interface PaymentsOfPeriod {
  environment: Environment;
  from: Date;
  to: Date;
}

export interface LedgerClient {
  /**
   * Refuses with INSUFFICIENT_BALANCE; with SERVICE_UNAVAILABLE when it is unknown whether it was taken. Any other
   * definite answer is no refusal but a defect of ours: the books have other facts under this id, or don't know us.
   */
  debitRefund(debit: RefundDebit): Promise<void>;
  /** What was received in a period [from, to), page by page. */
  payments(period: PaymentsOfPeriod): AsyncIterable<BookedPayment[]>;
}

interface LedgerOptions {
  url: string;
  signer: Signer;
  /** For each request with its whole answer. */
  timeoutMs: number;
}

const PAGE_SIZE = 1000;

const failure = z.object({ error: z.object({ code: z.string() }) });
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

/** Speaks to the ledger's own side, in this service's name. */
export function createLedgerClient({ url, signer, timeoutMs }: LedgerOptions): LedgerClient {
  const exchange = createExchange({ baseUrl: url, timeoutMs, isOurs: true, unanswered: unavailable });
  const identity = () => ({ [IDENTITY_HEADER]: signer.sign({ kind: 'service' }, 'ledger') });

  async function readPage(period: PaymentsOfPeriod, after: string | null) {
    const path = `/internal/payments?${queryOf(period, after)}`;
    const answer = await exchange({ method: 'GET', path, headers: identity() });
    const result = page.safeParse(answer.body);
    if (answer.status !== 200 || !result.success) throw unavailable();
    return result.data;
  }

  return {
    async debitRefund(debit) {
      const answer = await exchange({
        method: 'POST',
        path: '/internal/refunds',
        headers: { ...identity(), 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(debit)),
      });
      if (answer.status === 200) return;
      const code = failure.safeParse(answer.body).data?.error.code;
      if (answer.status === 422 && code === 'INSUFFICIENT_BALANCE')
        throw new Refusal('unprocessable', code, 'the balance does not cover the refund');
      throw new Error(`the ledger answered ${answer.status} ${code ?? ''} when asked for a refund’s money`);
    },

    async *payments(period) {
      let after: string | null = null;
      do {
        const { data, next } = await readPage(period, after);
        if (data.length > 0) yield data;
        // A cursor that does not move would be followed for ever.
        if (next !== null && next === after) throw unavailable();
        after = next;
      } while (after !== null);
    },
  };
}

/** Field by field: the ledger takes no other, and whoever calls may hand over more than is asked for. */
function bodyOf({ id, merchantId, environment, amount, occurredAt, charge }: RefundDebit) {
  const { externalId, paymentMethod, feeAmount, netAmount, paidAt, settlesAt } = charge;
  return {
    id,
    merchantId,
    environment,
    amount,
    occurredAt,
    charge: {
      id: charge.id,
      externalId,
      paymentMethod,
      amount: charge.amount,
      feeAmount,
      netAmount,
      paidAt,
      settlesAt,
    },
  };
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

function unavailable(): Refusal {
  const message = 'the ledger does not answer as it should; try again';
  return new Refusal('unavailable', 'SERVICE_UNAVAILABLE', message);
}
