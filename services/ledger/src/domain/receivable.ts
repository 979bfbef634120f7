import type { Cents, Tenant } from '@plataforma/kernel';
import type { Method } from './wallet.ts';

/**
 * The money of a paid charge that is not available yet. `remaining` is the charge's part of the pending
 * money.
 */
export interface Receivable extends Tenant {
  chargeId: string;
  method: Method;
  amount: Cents;
  remaining: Cents;
  settlesAt: string;
  /**
   * The reference of the fact that settles the receivable: the charge's id, or the id of the refund or
   * dispute that last put money back. Release 0.6.0 may have used the charge's id, which settles only once.
   */
  dueReference: string;
}
