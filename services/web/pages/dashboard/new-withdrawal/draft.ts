import type { PixKeyType } from '../destinations/pix-key-fields.tsx';

/** Who is paid, as the first step leaves it. */
export interface Payee {
  to: { destinationId: string } | { pixKey: string; pixKeyType: PixKeyType };
  source: 'MANUAL' | 'QR_CODE';
  /** What the last step shows. */
  text: string;
  name?: string;
  /** Of a code that has one. */
  cents?: number;
}

interface Terms {
  withdrawalFee: number;
  withdrawalFeeMode: 'AMOUNT' | 'BALANCE';
}

/** What an order takes and brings, by the fee's mode. */
export function costOf(cents: number, { withdrawalFee: fee, withdrawalFeeMode }: Terms) {
  return withdrawalFeeMode === 'AMOUNT'
    ? { fee, taken: cents, arrives: cents - fee }
    : { fee, taken: cents + fee, arrives: cents };
}
