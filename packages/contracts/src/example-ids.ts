/** Ids that are also written by hand in the examples of other modules. `exampleId` returns the same ids. */
const byHand: Readonly<Record<string, string>> = {
  Charge: '01930a6e-4b7c-7d21-9f53-2f1c8a6d4e01',
  Dispute: '01930b12-9c40-7a35-8e17-5d0b3c9f7a02',
  Event: '01930e11-5c2d-7b6f-8a40-1e9d4c7b0012',
  Refund: '0199e2a5-17d0-7aa4-8c21-6e0b5f3a9d42',
  UnexpectedPayment: '01930b44-3e0a-7b19-9d51-4c7f0a2e6b11',
  Withdrawal: '01930c77-1d58-7e09-b2a4-8f6e1d3c5b03',
};

const VIEW =
  /^(Admin|Inspected|Listed|New|Replayed|Checkout(?=Charge|Unexpected))|(InList|WithAttempts|Configuration)$/g;

/** Returns the kind of object that a view shows: `Charge` for the views `AdminCharge` and `ChargeInList`. */
export function kindOf(view: string): string {
  return view.replace(VIEW, '');
}

/**
 * Returns the example id of a kind of object, which is the same in all examples. `name` is a view
 * (`ChargeInList`) or a field (`chargeId`).
 */
export function exampleId(name: string): string {
  const kind = kindOf(`${name.charAt(0).toUpperCase()}${name.slice(1)}`.replace(/Id$/, ''));
  const sum = [...kind].reduce(
    (all, letter) => (all * 1_000_003n + BigInt(letter.charCodeAt(0))) % 2n ** 88n,
    1n,
  );
  const digits = sum.toString(16).padStart(22, '0');
  const groups = [
    digits.slice(0, 4),
    `7${digits.slice(4, 7)}`,
    `8${digits.slice(7, 10)}`,
    digits.slice(10, 22),
  ];
  return byHand[kind] ?? `01930a6e-${groups.join('-')}`;
}

/** The example id of the card charge `order-1002`. */
export const CARD_CHARGE = exampleId('CardCharge');
