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
   * The reference of the settlement's fact: the id of the charge, or of the refund or dispute that last
   * returned money. A reference settles only once, and release 0.6.0 may have settled the charge's id
   * already.
   */
  dueReference: string;
}
