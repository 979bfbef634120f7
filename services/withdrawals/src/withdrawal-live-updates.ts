import type { Transaction } from '@plataforma/data';
import type { LiveUpdates } from '@plataforma/messaging';
import { announcedFields } from './domain/announcement.ts';
import type { Withdrawal } from './domain/withdrawal.ts';

/**
 * Functions that send live updates about created and approved withdrawals. No stored event reports these
 * changes, and a live update may be lost.
 */
export type WithdrawalLiveUpdates = ReturnType<typeof withdrawalLiveUpdates>;

/** Creates the functions that send live updates. Each sends its update after `tx` commits. */
export function withdrawalLiveUpdates(liveUpdates: LiveUpdates) {
  return {
    created(tx: Transaction, withdrawal: Withdrawal): void {
      const data = { ...announcedFields(withdrawal), status: 'PENDING' as const, providerTxId: null };
      liveUpdates.sendAfter(tx, { ...ownerOf(withdrawal), type: 'withdrawal.created', data });
    },
    approved(tx: Transaction, withdrawal: Withdrawal): void {
      const data = { ...announcedFields(withdrawal), status: 'APPROVED' as const, providerTxId: null };
      liveUpdates.sendAfter(tx, { ...ownerOf(withdrawal), type: 'withdrawal.approved', data });
    },
  };
}

function ownerOf({ id: aggregateId, merchantId, environment, sequence }: Withdrawal) {
  return { merchantId, environment, aggregateId, sequence };
}
