import { type AccountView, type OrderedToday, orderedToday } from '@plataforma/contracts';
import type { Cents } from '@plataforma/kernel';
import type { Organization } from '../domain/organization.ts';
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
  const { maxInstallments, autoApproveLimit, dailyWithdrawalLimit, destinationCooldownHours } = settings;
  return {
    ...{ id, email, companyName, cnpj, phone, status, cardEnabled, checkoutColor, timeZone },
    fees: {
      PIX: { bps: settings.pixFeeBps, fixed: settings.pixFeeFixed },
      CARD: { bps: settings.cardFeeBps, fixed: settings.cardFeeFixed },
    },
    ...{ withdrawalFee, withdrawalFeeMode, settlementDays, settlementCalendar },
    limits: {
      ...{ maxInstallments, autoApproveLimit, dailyWithdrawalLimit, destinationCooldownHours },
      today: today && todayView(today, dailyWithdrawalLimit),
    },
    createdAt: createdAt.toISOString(),
  };
}

function todayView({ day, until, production, sandbox, sandboxDay }: OrderedToday, limit: Cents | null) {
  const use = (ordered: Cents) => ({ ordered, left: limit === null ? null : Math.max(0, limit - ordered) });
  return { day, until, production: use(production), sandbox: { ...use(sandbox), ...sandboxDay } };
}
