import type { Cents, Tenant } from '@plataforma/kernel';
import type { Method } from './wallet.ts';

/** Money of a paid charge that is not available yet. `remaining` is its part of the `pending` pocket. */
export interface Receivable extends Tenant {
  chargeId: string;
  method: Method;
  amount: Cents;
  remaining: Cents;
  settlesAt: string;
  /**
   * The reference of the settlement: the charge, or the refund or dispute that last returned money. It
   * changes because release 0.6.0 settled returned money again, and each settlement is posted once.
   */
  dueReference: string;
}
