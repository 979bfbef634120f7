import type { Transaction } from '@plataforma/data';
import type { Hints } from '@plataforma/messaging';
import { factsOf, placeOf } from './domain/announcements.ts';
import type { Charge } from './domain/charge.ts';

/** What live lists are told of charges besides their events; it may be lost, and costs nothing. */
export type ChargeHints = ReturnType<typeof chargeHints>;

export function chargeHints(hints: Hints) {
  return {
    /** Of one that has just been committed. */
    created(charge: Charge): void {
      const createdAt = charge.createdAt.toISOString();
      const expiresAt = charge.expiresAt?.toISOString() ?? null;
      const data = { ...factsOf(charge), paidAt: null, status: 'PENDING' as const, expiresAt, createdAt };
      hints.send({ ...placeOf(charge), type: 'charge.created', data });
    },
    /** Of one that is cancelled with `tx`. */
    cancelled(tx: Transaction, charge: Charge): void {
      const data = { ...factsOf(charge), paidAt: null, status: 'CANCELLED' as const };
      hints.sendAfter(tx, { ...placeOf(charge), type: 'charge.cancelled', data });
    },
  };
}
