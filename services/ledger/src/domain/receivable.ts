import type { Cents, Tenant } from '@plataforma/kernel';
import type { Method } from './wallet.ts';

/**
 * The pending money of a paid charge. `amount` is the payment without the fee. `remaining` is the part of it
 * that is still pending.
 */
export interface Receivable extends Tenant {
  chargeId: string;
  method: Method;
  amount: Cents;
  remaining: Cents;
  settlesAt: string;
  /**
   * The reference of the fact that settles the receivable: the charge's id, or the id of the refund or
   * dispute that last put money back. Release 0.6.0 may have kept the charge's id. A reference settles once.
   */
  dueReference: string;
}
