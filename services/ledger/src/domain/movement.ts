import type { Cents } from '@plataforma/kernel';
import type { Entry } from './entry.ts';

/** The kinds of entries that can change the available balance, each with its name in the API. */
const movementOfKind = {
  charge_paid: 'PAYMENT',
  receivable_due: 'SETTLEMENT',
  refund: 'REFUND',
  refund_refused: 'REFUND_RETURN',
  dispute_opened: 'DISPUTE_RESERVE',
  dispute_won: 'DISPUTE_RELEASE',
  withdrawal_created: 'WITHDRAWAL',
  withdrawal_returned: 'WITHDRAWAL_RETURN',
  block: 'BLOCK',
  unblock: 'UNBLOCK',
  adjustment: 'ADJUSTMENT',
} as const satisfies Partial<Record<Entry['kind'], string>>;

export type MovementKind = keyof typeof movementOfKind;

export const movementKinds = Object.keys(movementOfKind);

/**
 * The type, gross amount and fee of a row in the statement of the available balance. The row's `amount` is
 * the gross amount less the fee, in cents.
 */
export interface Movement {
  type: (typeof movementOfKind)[MovementKind];
  /** The amount before the fee, in cents. Null if the entry has no fee. */
  grossAmount: Cents | null;
  feeAmount: Cents | null;
}

const kindsWithFee: readonly MovementKind[] = ['charge_paid', 'withdrawal_created', 'withdrawal_returned'];

export function movementOf(kind: MovementKind, amount: Cents, fee: Cents): Movement {
  const type = movementOfKind[kind];
  if (!kindsWithFee.includes(kind)) return { type, grossAmount: null, feeAmount: null };
  return { type, grossAmount: amount + fee, feeAmount: fee };
}
