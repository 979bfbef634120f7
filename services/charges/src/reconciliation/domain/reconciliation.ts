import type { Cents } from '@plataforma/kernel';
import type { PaymentMethod } from '../../domain/charge.ts';

const movements = ['received', 'returned', 'lost'] as const;
type Movement = (typeof movements)[number];

/**
 * The amounts of a payment at the provider, in this service or in the ledger. `returned` is money that was
 * refunded or sent back; `lost` is money that the merchant lost in disputes.
 */
export type Statement = Record<Movement, Cents>;

/**
 * A payment at its provider, in this service and in the ledger. A side that does not know the payment is
 * null.
 */
export interface Compared {
  paymentMethod: PaymentMethod;
  merchantId: string | null;
  chargeId: string | null;
  unexpectedPaymentId: string | null;
  /** The endToEndId of a Pix, or the acquirer's id of a card payment. */
  providerReference: string | null;
  /** The txid of the Pix payment's charge, which the provider needs to find the payment. */
  txid: string | null;
  provider: Statement | null;
  charges: Statement | null;
  ledger: Statement | null;
  /** The amount of an undecided dispute. The provider may have taken this amount already. */
  undecided: Cents;
}

/** A difference, with the amount on each side, so that an operator sees which side is wrong. */
export interface Difference extends Omit<Compared, 'txid' | 'provider' | 'charges' | 'ledger' | 'undecided'> {
  what: Uppercase<Movement>;
  provider: Cents | null;
  charges: Cents | null;
  ledger: Cents | null;
}

const named = { received: 'RECEIVED', returned: 'RETURNED', lost: 'LOST' } as const;

export function differencesOf(compared: Compared): Difference[] {
  if (cameToNothing(compared)) return [];
  return movements
    .filter((movement) => areApart(compared, movement))
    .map((movement) => {
      const { txid: _, provider, charges, ledger, undecided: __, ...about } = compared;
      return {
        what: named[movement],
        ...about,
        provider: provider?.[movement] ?? null,
        charges: charges?.[movement] ?? null,
        ledger: ledger?.[movement] ?? null,
      };
    });
}

/**
 * Returns true for a payment that only the provider knows and has returned in full. Examples are a voided
 * card payment, and a test at the provider.
 */
function cameToNothing({ provider, charges, ledger }: Compared): boolean {
  return provider !== null && !charges && !ledger && provider.received === provider.returned;
}

function areApart({ provider, charges, ledger, undecided }: Compared, movement: Movement): boolean {
  // A side (provider, charges or ledger) without the payment is a difference in `received`. In the other
  // movements, such a side counts as zero.
  if (movement === 'received')
    return new Set([provider?.[movement], charges?.[movement], ledger?.[movement]]).size > 1;
  const amountAt = (side: Statement | null) => side?.[movement] ?? 0;
  const [taken, recorded] = [amountAt(provider), amountAt(charges)];
  if (recorded !== amountAt(ledger)) return true;
  return movement === 'lost' ? taken < recorded || taken > recorded + undecided : taken !== recorded;
}

export type Totals = Record<
  PaymentMethod,
  Record<Movement, Record<'provider' | 'charges' | 'ledger', Cents>>
>;

export function noTotals(): Totals {
  const three = () => ({ provider: 0, charges: 0, ledger: 0 });
  const each = () => ({ received: three(), returned: three(), lost: three() });
  return { PIX: each(), CARD: each() };
}

export function addTo(totals: Totals, compared: Compared): void {
  if (cameToNothing(compared)) return;
  const { paymentMethod, provider, charges, ledger } = compared;
  for (const movement of movements) {
    const sums = totals[paymentMethod][movement];
    sums.provider += provider?.[movement] ?? 0;
    sums.charges += charges?.[movement] ?? 0;
    sums.ledger += ledger?.[movement] ?? 0;
  }
}
