import type { Cents, Tenant } from '@plataforma/kernel';
import type { Method } from './wallet.ts';

/**
 * Money of a paid charge that is the merchant's but not yet available. `remaining` is what `pending` holds of
 * it.
 */
export interface Receivable extends Tenant {
  chargeId: string;
  method: Method;
  amount: Cents;
  remaining: Cents;
  settlesAt: string;
  /**
   * Names the next settlement: the charge, or the refund or dispute whose money came back last. Each settlement
   * is posted once, and money that comes back after one can be due again.
   */
  dueReference: string;
}
