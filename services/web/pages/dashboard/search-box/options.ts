import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { statusWords } from '../../shared/statuses.ts';
import { partOfCharge, partOfRefund, useRefundedText } from '../charges/refunded.tsx';
import { useReasonText } from '../disputes/reasons.ts';
import { useAmountText } from '../payment-links/texts.ts';
import type { Group } from './find.ts';
import { searchBoxWords } from './words.ts';

/** A row of the results: an object, or the list with all results of a kind. */
export type Option = { kind: Group['kind'] } & (ObjectOption | { key: string; list: Group['kind'] });

export interface ObjectOption {
  key: string;
  to: '/charges/$id' | '/payment-links/$id' | '/disputes/$id' | '/withdrawals/$id';
  id: string;
  title: string;
  detail: string;
  amount: string;
  /** The status of the object, and its text. */
  status: string;
  statusText: string;
}

/** Returns a function that gives the rows of a group. If more results exist, the last row leads to them. */
export function useOptions(): (group: Group) => Option[] {
  const objectsOf = useObjects();
  return (group) => {
    const { kind, hasMore } = group;
    const more = hasMore ? [{ key: kind, list: kind }] : [];
    return [...objectsOf(group), ...more].map((option) => ({ ...option, kind }));
  };
}

function useObjects(): (group: Group) => ObjectOption[] {
  const words = useWords(searchBoxWords);
  const statuses = useWords(statusWords);
  const refundedText = useRefundedText();
  const amountOfLink = useAmountText();
  const reason = useReasonText();
  return (group) => {
    switch (group.kind) {
      case 'charges':
        return group.rows.map((charge) => ({
          ...{ key: charge.id, id: charge.id, to: '/charges/$id', status: charge.status },
          ...{ title: charge.payerName, detail: charge.externalId, amount: money(charge.amount) },
          statusText: refundedText('charge', charge.status, partOfCharge(charge)),
        }));
      case 'payment-links':
        return group.rows.map((link) => ({
          ...{ key: link.id, id: link.id, to: '/payment-links/$id', status: link.status },
          ...{ title: link.description, detail: link.externalId ?? '', amount: amountOfLink(link) },
          statusText: statuses.paymentLink[link.status],
        }));
      case 'refunds':
        return group.rows.map((refund) => ({
          ...{ key: refund.id, id: refund.chargeId, to: '/charges/$id', status: refund.status },
          title: refund.payerName ?? refund.reason ?? words.refund,
          ...{ detail: refund.externalId, amount: money(refund.amount) },
          statusText: refundedText('refund', refund.status, partOfRefund(refund)),
        }));
      case 'disputes':
        return group.rows.map((dispute) => ({
          ...{ key: dispute.id, id: dispute.id, to: '/disputes/$id', status: dispute.status },
          ...{ title: reason(dispute.reason), detail: dispute.externalId, amount: money(dispute.amount) },
          statusText: statuses.dispute[dispute.status],
        }));
      case 'withdrawals':
        return group.rows.map((withdrawal) => ({
          ...{ key: withdrawal.id, id: withdrawal.id, to: '/withdrawals/$id', status: withdrawal.status },
          title: withdrawal.payeeName ?? withdrawal.pixKey ?? withdrawal.bankAccount?.holderName ?? '—',
          ...{ detail: withdrawal.externalId ?? '', amount: money(withdrawal.amount) },
          statusText: statuses.withdrawal[withdrawal.status],
        }));
    }
  };
}
