import type { Database } from '@plataforma/data';
import {
  bankDayOf,
  type Cents,
  type Clock,
  later,
  type Refusal,
  refusalsOf,
  type Tenant,
} from '@plataforma/kernel';
import type { LedgerClient } from '@plataforma/ledger-client';
import { aheadOf, type MerchantDirectory } from '@plataforma/service';
import { requireActive } from '../domain/merchant.ts';
import { newWithdrawal, requireWithinDay, type WithdrawalRequest } from '../domain/new-withdrawal.ts';
import { notCovered, type Withdrawal } from '../domain/withdrawal.ts';
import type { PayoutProviders } from '../payouts/payout-client.ts';
import { getPayee } from '../store/destinations.ts';
import { sumRequestedOn } from '../store/withdrawals.ts';

export interface QuoteWithdrawal {
  database: Database;
  ledger: LedgerClient;
  clock: Clock;
  merchants: MerchantDirectory;
  payoutClientOf: PayoutProviders;
  fourEyesThreshold: Cents;
}

interface Quoted {
  planned: Withdrawal;
  debit: Cents;
  balanceAfter: Cents;
  refusals: Refusal[];
}

/** Returns the fee of a possible withdrawal and the reasons why it would be refused. Changes no data. */
export async function quoteWithdrawal(
  dependencies: QuoteWithdrawal,
  { tenant, request }: { tenant: Tenant; request: WithdrawalRequest },
): Promise<Quoted> {
  const { database, ledger, clock, merchants, payoutClientOf, fourEyesThreshold } = dependencies;
  const merchant = await merchants.get(tenant.merchantId);
  const { payee, payeeKnownSince } = await getPayee(database, tenant, request);
  const aheadMs = await aheadOf(database, tenant);
  const now = later(clock(), aheadMs);
  const context = { tenant, merchant, now, aheadMs, fourEyesThreshold, payeeKnownSince, isRepeatable: false };
  const planned = newWithdrawal({ ...request, payee }, context);
  const debit = planned.netAmount + planned.fee;
  const requested = (await sumRequestedOn(database, tenant, bankDayOf(now))) + request.amount;
  const balanceAfter = (await ledger.withdrawable(tenant)) - debit;
  const refusals = await refusalsOf(
    () => requireActive(merchant),
    () => requireWithinDay(requested, request.amount, merchant.dailyWithdrawalLimit ?? requested),
    () => payee.type === 'PIX' && payoutClientOf(tenant),
    () => {
      if (balanceAfter < 0) throw notCovered();
    },
  );
  return { planned, debit, balanceAfter, refusals };
}
