import type { Cents } from '@plataforma/kernel';
import type { PaymentMethod } from '../../domain/charge.ts';

const movements = ['received', 'returned', 'lost'] as const;
type Movement = (typeof movements)[number];

/** The amounts of a payment on one of the three sides; `returned` was refunded or sent back, `lost` went in disputes. */
export type Statement = Record<Movement, Cents>;

/** A payment as its provider, this service and the books know it. Null: that one knows of no such payment. */
export interface Compared {
  paymentMethod: PaymentMethod;
  merchantId: string | null;
  chargeId: string | null;
  unexpectedPaymentId: string | null;
  /** endToEndId of a Pix, the acquirer's id of a card payment. */
  providerReference: string | null;
  /** The txid of the charge that a Pix came for, by which the provider finds it. */
  txid: string | null;
  provider: Statement | null;
  charges: Statement | null;
  ledger: Statement | null;
  /** The amount of an undecided dispute, which a provider may or may not have taken yet. */
  undecided: Cents;
}

/** A difference shows the amount of each side, because an operator must see which one is wrong. */
export interface Difference extends Omit<Compared, 'txid' | 'provider' | 'charges' | 'ledger' | 'undecided'> {
  what: Uppercase<Movement>;
  provider: Cents | null;
  charges: Cents | null;
  ledger: Cents | null;
}

const named = { received: 'RECEIVED', returned: 'RETURNED', lost: 'LOST' } as const;

/** In what the three disagree about a payment. */
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

/** An uncollected card payment, or a test at the provider: it was returned in full and never posted. */
function cameToNothing({ provider, charges, ledger }: Compared): boolean {
  return provider !== null && !charges && !ledger && provider.received === provider.returned;
}

function areApart({ provider, charges, ledger, undecided }: Compared, movement: Movement): boolean {
  // A payment that one side does not know at all is reported once, as money received.
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
