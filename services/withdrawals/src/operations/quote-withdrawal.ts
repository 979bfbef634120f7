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
import { demandActive } from '../domain/merchant.ts';
import { demandWithinDay, newWithdrawal, type OrderRequest } from '../domain/new-withdrawal.ts';
import { notCovered, type Withdrawal } from '../domain/withdrawal.ts';
import type { PayoutProviders } from '../payouts/payout-client.ts';
import { getPayee } from '../store/destinations.ts';
import { orderedOn } from '../store/withdrawals.ts';

export interface QuoteWithdrawal {
  database: Database;
  ledger: LedgerClient;
  clock: Clock;
  merchants: MerchantDirectory;
  payouts: PayoutProviders;
  fourEyesThreshold: Cents;
}

interface Quoted {
  /** The withdrawal as it would be stored. */
  planned: Withdrawal;
  debit: Cents;
  balanceAfter: Cents;
  /** The reasons for which it would be refused. */
  refusals: Refusal[];
}

/** Returns the cost of a withdrawal and the reasons against it. Stores nothing and debits nothing. */
export async function quoteWithdrawal(
  parts: QuoteWithdrawal,
  { tenant, order }: { tenant: Tenant; order: OrderRequest },
): Promise<Quoted> {
  const { database, ledger, clock, merchants, payouts, fourEyesThreshold } = parts;
  const merchant = await merchants.get(tenant.merchantId);
  const { target, payeeSeenAt } = await getPayee(database, tenant, order);
  const aheadMs = await aheadOf(database, tenant);
  const now = later(clock(), aheadMs);
  const terms = { tenant, merchant, now, aheadMs, fourEyesThreshold, payeeSeenAt, canBeAskedFor: false };
  const planned = newWithdrawal({ ...order, target }, terms);
  const debit = planned.netAmount + planned.fee;
  const ordered = (await orderedOn(database, tenant, bankDayOf(now))) + order.amount;
  const balanceAfter = (await ledger.withdrawable(tenant)) - debit;
  const refusals = await refusalsOf(
    () => demandActive(merchant),
    () => demandWithinDay(ordered, order.amount, merchant.dailyWithdrawalLimit ?? ordered),
    () => target.type === 'PIX' && payouts(tenant),
    () => {
      if (balanceAfter < 0) throw notCovered();
    },
  );
  return { planned, debit, balanceAfter, refusals };
}
