import type { PaymentLinkInListView } from '@plataforma/contracts';
import { count, money } from '../../shared/format.ts';
import { useLanguage, useWords } from '../../shared/language.ts';
import { linkWords } from './words.ts';

type Priced = Record<'amount' | 'minAmount' | 'maxAmount', number | null>;

export function useAmountText(): (link: Priced) => string {
  const words = useWords(linkWords);
  return ({ amount, minAmount, maxAmount }) => {
    if (amount !== null) return money(amount);
    if (minAmount !== null && maxAmount !== null) return words.between(money(minAmount), money(maxAmount));
    if (minAmount !== null) return words.atLeast(money(minAmount));
    return maxAmount === null ? words.buyerDecides : words.atMost(money(maxAmount));
  };
}

export function usePaymentsText(): (link: Pick<PaymentLinkInListView, 'payments' | 'uses'>) => string {
  const words = useWords(linkWords);
  const language = useLanguage();
  return ({ payments, uses }) => {
    const paid = count(payments, language);
    return uses === null ? paid : words.ofUses(paid, count(uses, language));
  };
}
