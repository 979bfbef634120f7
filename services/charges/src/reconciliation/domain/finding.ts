import { createHash } from 'node:crypto';
import type { Cents } from '@plataforma/kernel';
import type { Difference } from './reconciliation.ts';

type PaymentAlarmKind = 'UNBACKED' | 'UNRECORDED' | 'AMOUNTS_DIFFER';

/**
 * A difference that raises an alarm: the provider, this service and the ledger do not agree on the received
 * amount of a payment.
 */
export interface Finding {
  /**
   * The identity of a finding. It stays the same while the amounts at the provider, in this service and in
   * the ledger stay the same.
   */
  key: string;
  kind: PaymentAlarmKind;
  /**
   * The id of the charge or unmatched payment, or a hash of the reference when only the provider has the
   * payment.
   */
  subjectId: string;
  /** The charge of the payment. Null when this service has no record of the payment. */
  chargeId: string | null;
  merchantId: string | null;
  providerReference: string | null;
  /**
   * The first positive amount of the ledger, this service and the provider, in this order. Without a positive
   * amount it is 1, so that even a forged entry raises an alarm.
   */
  amount: Cents;
}

/**
 * Returns a finding for a difference in received money, and null for any other difference. Returned and lost
 * amounts may differ for days, and the orders that return money raise alarms of their own.
 */
export function findingOf(difference: Difference): Finding | null {
  const { what, provider, charges, ledger, merchantId, providerReference } = difference;
  if (what !== 'RECEIVED') return null;
  const named = difference.unexpectedPaymentId ?? difference.chargeId;
  const subjectId = named ?? idOf(providerReference ?? '');
  return {
    key: [subjectId, provider, charges, ledger].join(' '),
    kind: kindOf(difference),
    subjectId,
    chargeId: charges === null ? null : difference.chargeId,
    merchantId,
    providerReference,
    amount: [ledger, charges, provider].find((amount) => amount !== null && amount > 0) ?? 1,
  };
}

function kindOf({ provider, charges, ledger }: Difference): PaymentAlarmKind {
  if (provider === null) return 'UNBACKED';
  return charges === null || ledger === null ? 'UNRECORDED' : 'AMOUNTS_DIFFER';
}

function idOf(reference: string): string {
  const hex = createHash('sha256').update(reference).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
