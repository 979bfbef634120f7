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
   * Under which its next settlement is posted: the charge, and after a refund that came back, that refund; so
   * that each settlement is posted once, and money that comes back after the settlement can be due again.
   */
  dueReference: string;
}
