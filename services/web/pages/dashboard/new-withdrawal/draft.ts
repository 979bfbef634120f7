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
