import type { ChargeInListView, RefundView } from '@plataforma/contracts';
import { Badge, Status } from '../../components/badge/badge.tsx';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { statusWords, toneOfStatus } from '../../shared/statuses.ts';
import { chargesWords } from './words.ts';

type Refundable = Pick<ChargeInListView, 'status' | 'amount' | 'netAmount' | 'refundedAmount' | 'paidAt'>;
type Refunding = Pick<RefundView, 'status' | 'amount' | 'chargeAmount'>;

/** Returns the refunded cents of a partly refunded charge, or null for any other charge. */
export function partOfCharge({ status, amount, refundedAmount }: Omit<Refundable, 'netAmount' | 'paidAt'>) {
  return status === 'REFUNDED' && refundedAmount !== null && refundedAmount < amount ? refundedAmount : null;
}

/** Returns the cents of a refund that returned a part of its charge, or null for any other refund. */
export function partOfRefund({ status, amount, chargeAmount }: Refunding) {
  return status === 'REFUNDED' && amount < chargeAmount ? amount : null;
}

/** Returns a function that gives the text of a status, with the amount of a partial refund. */
export function useRefundedText(): (of: 'charge' | 'refund', status: string, part: number | null) => string {
  const { partlyRefunded } = useWords(chargesWords);
  const words = useWords(statusWords);
  return (of, status, part) => {
    const texts: Readonly<Record<string, string>> = words[of];
    return part === null ? (texts[status] ?? status) : partlyRefunded(money(part));
  };
}

/** The status of a charge. A partial refund shows its amount. */
export function ChargeStatus({ of }: { of: Refundable }) {
  return <RefundedStatus of="charge" status={of.status} part={partOfCharge(of)} />;
}

/** The status of a refund. A partial refund shows its amount. */
export function RefundStatus({ of }: { of: Refunding }) {
  return <RefundedStatus of="refund" status={of.status} part={partOfRefund(of)} />;
}

interface StatusProps {
  of: 'charge' | 'refund';
  status: string;
  part: number | null;
}

function RefundedStatus({ of, status, part }: StatusProps) {
  const text = useRefundedText();
  if (part === null) return <Status of={of} status={status} />;
  return <Badge tone={toneOfStatus[status] ?? 'neutral'}>{text(of, status, part)}</Badge>;
}

/** Returns the net amount in cents that remains after refunds, or null if the charge was never paid. */
export function remainingNet({ paidAt, netAmount, refundedAmount }: Refundable): number | null {
  return paidAt === null ? null : netAmount - (refundedAmount ?? 0);
}
