import type { Database } from '@plataforma/data';
import { type Cents, type Clock, later, type Refusal, refusalsOf, type Tenant } from '@plataforma/kernel';
import type { LedgerClient } from '@plataforma/ledger-client';
import { aheadOf, type MerchantDirectory } from '@plataforma/service';
import { dependsOnDay, noTotals, requireWithinDay, withApprovalOfDay } from '../domain/day-limits.ts';
import { requireActive } from '../domain/merchant.ts';
import { newWithdrawal, type WithdrawalRequest } from '../domain/new-withdrawal.ts';
import { notCovered, type Withdrawal } from '../domain/withdrawal.ts';
import type { PayoutProviders } from '../payouts/payout-client.ts';
import { sumDayOf } from '../store/day-totals.ts';
import { getPayee } from '../store/destinations.ts';

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
  const aheadMs = await aheadOf(database, tenant);
  const now = later(clock(), aheadMs);
  const { payee, ...payeeAge } = await getPayee(database, tenant, request, now);
  const context = { tenant, merchant, now, aheadMs, fourEyesThreshold, ...payeeAge, isRepeatable: false };
  const drafted = newWithdrawal({ ...request, payee }, context);
  const day = dependsOnDay(drafted, merchant) ? await sumDayOf(database, drafted) : noTotals;
  const planned = withApprovalOfDay(drafted, day, merchant);
  const debit = planned.netAmount + planned.fee;
  const balanceAfter = (await ledger.withdrawable(tenant)) - debit;
  const refusals = await refusalsOf(
    () => requireActive(merchant),
    () => requireWithinDay(planned, day, merchant),
    () => payee.type === 'PIX' && payoutClientOf(tenant),
    () => {
      if (balanceAfter < 0) throw notCovered();
    },
  );
  return { planned, debit, balanceAfter, refusals };
}
