import type { Database } from '@plataforma/data';
import { type Cents, Refusal, refusalsOf, type Tenant } from '@plataforma/kernel';
import type { LedgerClient } from '@plataforma/ledger-client';
import { isEnd } from '@plataforma/work';
import { type Charge, statusAfter } from '../domain/charge.ts';
import { notSupported, refundAmount } from '../domain/new-refund.ts';
import { notCovered, notRefundable } from '../domain/refund.ts';
import type { PixProviders } from '../pix/pix-client.ts';
import { getCharge } from '../store/own-charges.ts';
import { findUnrefusedRefund } from '../store/refunds.ts';

interface QuoteRequest {
  tenant: Tenant;
  chargeId: string;
  /** The amount of the refund. The default is the net amount. */
  amount?: Cents | undefined;
}

interface QuotedRefund {
  amount: Cents;
  balanceAfter: Cents;
  /** All refusals that a request for this refund would get. */
  refusals: Refusal[];
}

/**
 * Computes the merchant's balance after a refund, and the refusals that the refund would get. Writes nothing.
 */
export async function quoteRefund(
  { database, pix, ledger }: { database: Database; pix: PixProviders; ledger: LedgerClient },
  { tenant, chargeId, amount: requested }: QuoteRequest,
): Promise<QuotedRefund> {
  const charge = await getCharge(database, tenant, chargeId);
  const amount = refundAmount(charge, requested);
  const unrefused = await findUnrefusedRefund(database, charge.id);
  const balanceAfter = balanceOf(charge, amount, await ledger.refundable(tenant, charge.id));
  const refusals = await refusalsOf(
    () => {
      const isPix = charge.paymentMethod === 'PIX';
      if (isPix && !pix(charge).supportsRefunds) throw notSupported();
    },
    () => {
      if (!statusAfter(charge.status, 'refund')) throw notRefundable(`is ${charge.status}`);
    },
    () => {
      if (unrefused && !isEnd(unrefused.status)) throw isUnderWay();
    },
    () => {
      if (balanceAfter < 0) throw notCovered();
    },
  );
  return { amount, balanceAfter, refusals };
}

type Takeable = Awaited<ReturnType<LedgerClient['refundable']>>;

/**
 * Returns the balance after a refund. The refund first uses money of the charge that is not settled yet. A
 * payment that the ledger has not posted yet counts as posted.
 */
function balanceOf(charge: Charge, amount: Cents, { withdrawable, pending, isBooked }: Takeable): Cents {
  const { netAmount, settlesAt, paidAt } = charge;
  const isComing = !isBooked && paidAt !== null;
  const isPending = settlesAt !== null && paidAt !== null && settlesAt > paidAt;
  const toSettle = pending + (isComing && isPending ? netAmount : 0);
  const available = withdrawable + (isComing && !isPending ? netAmount : 0);
  return available - Math.max(0, amount - toSettle);
}

function isUnderWay(): Refusal {
  const message = 'a refund of this charge is in progress and needs no further request';
  return new Refusal('conflict', 'REQUEST_IN_PROGRESS', message);
}
