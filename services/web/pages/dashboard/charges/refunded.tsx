import type { ChargeInListView } from '@plataforma/contracts';
import { Badge, Status } from '../../components/badge/badge.tsx';
import { money } from '../../shared/format.ts';
import { useWords } from '../../shared/language.ts';
import { toneOfStatus } from '../../shared/statuses.ts';
import { chargesWords } from './words.ts';

type Refundable = Pick<ChargeInListView, 'status' | 'amount' | 'netAmount' | 'refundedAmount' | 'paidAt'>;

/** The status of a charge. A partial refund shows its amount. */
export function ChargeStatus({ of: { status, amount, refundedAmount } }: { of: Refundable }) {
  const words = useWords(chargesWords);
  const isPart = status === 'REFUNDED' && refundedAmount !== null && refundedAmount < amount;
  if (!isPart) return <Status of="charge" status={status} />;
  return (
    <Badge tone={toneOfStatus[status] ?? 'neutral'}>{words.partlyRefunded(money(refundedAmount))}</Badge>
  );
}

/** Returns the net amount in cents that refunds have left, or null if the charge was never paid. */
export function remainingNet({ paidAt, netAmount, refundedAmount }: Refundable): number | null {
  return paidAt === null ? null : netAmount - (refundedAmount ?? 0);
}
