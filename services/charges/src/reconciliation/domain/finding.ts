import { createHash } from 'node:crypto';
import type { Cents } from '@plataforma/kernel';
import type { Difference } from './reconciliation.ts';

/** The faults that the daily reconciliation finds in a payment. */
type PaymentAlarmKind = 'UNBACKED' | 'UNRECORDED' | 'AMOUNTS_DIFFER';

/** A payment of which money was credited without its provider, or received without us. */
export interface Finding {
  /** The same as long as the three say the same of it. */
  key: string;
  kind: PaymentAlarmKind;
  /** The id of the charge or unmatched payment; a hash of the reference where only the provider has it. */
  subjectId: string;
  /** Null: it is not on record here. */
  chargeId: string | null;
  merchantId: string | null;
  providerReference: string | null;
  /** The first that is one: a forged entry may have any, and the alarm must be written all the same. */
  amount: Cents;
}

/**
 * Null: no alarm. Money that was returned or lost since is not credited, and may differ for days until the
 * bank is done; its orders have alarms of their own.
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
