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
   * Names the settlement: the charge, or the refund or dispute whose money came back last. Release 0.6.0 settled money
   * again that came back after a settlement, and each settlement is posted once.
   */
  dueReference: string;
}
