import { createHash } from 'node:crypto';
import type { Cents } from '@plataforma/kernel';
import type { Difference } from './reconciliation.ts';

type PaymentAlarmKind = 'UNBACKED' | 'UNRECORDED' | 'AMOUNTS_DIFFER';

/** A payment that was credited without its provider's confirmation, or received without a record here. */
export interface Finding {
  /** A key that stays the same while the amounts of the three sides stay the same. */
  key: string;
  kind: PaymentAlarmKind;
  /**
   * The id of the charge or unmatched payment, or a hash of the reference when only the provider has the
   * payment.
   */
  subjectId: string;
  /** Null when this service has no record of the charge. */
  chargeId: string | null;
  merchantId: string | null;
  providerReference: string | null;
  /**
   * The first valid amount of the sides, because a forged entry may have any amount and must still cause an
   * alarm.
   */
  amount: Cents;
}

/**
 * Returns a finding, or null for no alarm. Returned and lost money may differ for days until the bank is
 * done, and its orders have separate alarms.
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
