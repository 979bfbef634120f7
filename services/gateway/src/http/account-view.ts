import { type AccountView, type OrderedToday, orderedToday } from '@plataforma/contracts';
import type { Cents } from '@plataforma/kernel';
import type { Organization } from '../domain/organization.ts';
import { withdrawalLimitsOf } from '../domain/withdrawal-limits.ts';
import type { AskService } from './ask-service.ts';

/**
 * Returns the total of a merchant's withdrawals of the day. Returns null if the withdrawals service does not
 * answer; the account is then shown without the total.
 */
export function orderedTodayOf(askService: AskService, merchantId: string): Promise<OrderedToday | null> {
  const path = `/internal/ordered-today?merchantId=${merchantId}`;
  return askService('withdrawals', { path, answer: orderedToday });
}

export function accountView(organization: Organization, today: OrderedToday | null): AccountView {
  const { id, email, companyName, cnpj, phone, status, checkoutColor, timeZone } = organization;
  const { settings, createdAt } = organization;
  const { cardEnabled, withdrawalFee, withdrawalFeeMode, settlementDays, settlementCalendar } = settings;
  const { maxInstallments, autoApproveLimit, newPayeesPerDay } = settings;
  const { production, sandbox } = withdrawalLimitsOf(organization);
  return {
    ...{ id, email, companyName, cnpj, phone, status, cardEnabled, checkoutColor, timeZone },
    fees: {
      PIX: { bps: settings.pixFeeBps, fixed: settings.pixFeeFixed },
      CARD: { bps: settings.cardFeeBps, fixed: settings.cardFeeFixed },
    },
    ...{ withdrawalFee, withdrawalFeeMode, settlementDays, settlementCalendar },
    limits: {
      ...{ maxInstallments, autoApproveLimit, newPayeesPerDay, ...production, sandbox },
      today: today && todayView(today, { production, sandbox }),
    },
    createdAt: createdAt.toISOString(),
  };
}

function todayView(
  { day, until, sandboxDay, ...ordered }: OrderedToday,
  limits: ReturnType<typeof withdrawalLimitsOf>,
) {
  const production = useOf(ordered.production, limits.production.dailyWithdrawalLimit);
  const sandbox = useOf(ordered.sandbox, limits.sandbox.dailyWithdrawalLimit);
  return { day, until, production, sandbox: { ...sandbox, ...sandboxDay } };
}

function useOf(ordered: Cents, limit: Cents | null) {
  return { ordered, left: limit === null ? null : Math.max(0, limit - ordered) };
}
