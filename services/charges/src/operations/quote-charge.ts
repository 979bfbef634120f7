import type { Database } from '@plataforma/data';
import { type Cents, type Clock, Refusal, refusalsOf, type Tenant } from '@plataforma/kernel';
import type { LedgerClient } from '@plataforma/ledger-client';
import { type MerchantDirectory, merchantTime, type Stops } from '@plataforma/service';
import type { Acquirers } from '../cards/acquirer-client.ts';
import { requireCardAllowed, settlementOf } from '../domain/card.ts';
import type { PaymentMethod } from '../domain/charge.ts';
import { feeOf } from '../domain/new-charge.ts';
import { subjectOf } from '../domain/stop-subject.ts';
import type { PixProviders } from '../pix/pix-client.ts';

interface QuoteCharge {
  database: Database;
  merchants: MerchantDirectory;
  pix: PixProviders;
  acquirers: Acquirers;
  ledger: LedgerClient;
  stops: Stops;
  clock: Clock;
}

interface QuoteRequest {
  tenant: Tenant;
  order: { amount: Cents; paymentMethod: PaymentMethod; installments: number };
  readsWallet: boolean;
}

interface QuotedCharge {
  fee: Cents;
  netAmount: Cents;
  /** The merchant's balance after the payment. Null when the caller may not read the wallet. */
  balanceAfter: Cents | null;
  /** The time at which the money would settle if the charge were paid now. */
  settlesAt: Date;
  /** All refusals that a request for this charge would get. */
  refusals: Refusal[];
}

/** Computes the fee of a charge, and the time at which its net amount settles. Writes nothing. */
export async function quoteCharge(dependencies: QuoteCharge, request: QuoteRequest): Promise<QuotedCharge> {
  const { merchants, pix, acquirers, ledger, stops, clock, database } = dependencies;
  const { tenant, order, readsWallet } = request;
  const { amount, paymentMethod, installments } = order;
  const { merchantId } = tenant;
  const merchant = await merchants.get(merchantId);
  const isCard = paymentMethod === 'CARD';
  const fee = feeOf(
    amount,
    isCard
      ? { feeBps: merchant.cardFeeBps, feeFixed: merchant.cardFeeFixed }
      : { feeBps: merchant.pixFeeBps, feeFixed: merchant.pixFeeFixed },
  );
  const refusals = await refusalsOf(
    () => requireCharging(merchant),
    () => isCard && requireCardAllowed(merchant, tenant.environment, installments),
    () => (isCard ? acquirers(tenant) : pix(tenant)),
    () => stops.requireNotStopped(subjectOf('charges', { paymentMethod, merchantId })),
  );
  const netAmount = amount - fee;
  const now = await merchantTime(database, clock, tenant);
  const settlesAt = isCard ? settlementOf(now, merchant) : now;
  const balanceAfter = readsWallet ? (await ledger.withdrawable(tenant)) + netAmount : null;
  return { fee, netAmount, balanceAfter, settlesAt, refusals };
}

/** Refuses a suspended or rejected account, as the gateway does. */
function requireCharging({ status }: { status: string }): void {
  if (status !== 'SUSPENDED' && status !== 'REJECTED') return;
  throw new Refusal('forbidden', 'MERCHANT_SUSPENDED', `the account is ${status}: no new charges`);
}
