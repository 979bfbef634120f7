import type { Transaction } from '@plataforma/data';
import type { LiveUpdates } from '@plataforma/messaging';
import { chargeEventData, eventHeaderOf } from './domain/announcements.ts';
import type { Charge } from './domain/charge.ts';

export type ChargeLiveUpdates = ReturnType<typeof chargeLiveUpdates>;

export function chargeLiveUpdates(liveUpdates: LiveUpdates) {
  return {
    /** Sends the live update `charge.created`. The caller must have committed the charge. */
    created(charge: Charge): void {
      const createdAt = charge.createdAt.toISOString();
      const expiresAt = charge.expiresAt?.toISOString() ?? null;
      const data = {
        ...chargeEventData(charge),
        paidAt: null,
        status: 'PENDING' as const,
        expiresAt,
        createdAt,
      };
      liveUpdates.send({ ...eventHeaderOf(charge), type: 'charge.created', data });
    },
    cancelled(tx: Transaction, charge: Charge): void {
      const data = { ...chargeEventData(charge), paidAt: null, status: 'CANCELLED' as const };
      liveUpdates.sendAfter(tx, { ...eventHeaderOf(charge), type: 'charge.cancelled', data });
    },
  };
}
