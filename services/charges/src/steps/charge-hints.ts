import type { Transaction } from '@plataforma/data';
import type { Hints } from '@plataforma/messaging';
import type { Charge } from '../domain/charge.ts';

/** What live lists are told of charges besides their events; it may be lost, and costs nothing. */
export type ChargeHints = ReturnType<typeof chargeHints>;

export function chargeHints(hints: Hints) {
  return {
    /** Of one that has just been committed. */
    created(charge: Charge): void {
      const createdAt = charge.createdAt.toISOString();
      const expiresAt = charge.expiresAt?.toISOString() ?? null;
      const data = { ...termsOf(charge), status: 'PENDING' as const, expiresAt, createdAt };
      hints.send({ ...ownerOf(charge), type: 'charge.created', data });
    },
    /** Of one that is cancelled with `tx`. */
    cancelled(tx: Transaction, charge: Charge): void {
      const data = { ...termsOf(charge), status: 'CANCELLED' as const };
      hints.sendAfter(tx, { ...ownerOf(charge), type: 'charge.cancelled', data });
    },
  };
}

function ownerOf({ id: aggregateId, merchantId, environment, sequence }: Charge) {
  return { merchantId, environment, aggregateId, sequence };
}

function termsOf({ id, txid, externalId, paymentMethod, metadata, ...charge }: Charge) {
  const { amount, feeAmount, netAmount } = charge;
  return { id, txid, externalId, paymentMethod, metadata, amount, feeAmount, netAmount, paidAt: null };
}
