import type { Transaction } from '@plataforma/data';
import type { Hints } from '@plataforma/messaging';
import { announcedFields } from './domain/announcement.ts';
import type { Withdrawal } from './domain/withdrawal.ts';

/** Hints update live lists between events; a hint may be lost. */
export type WithdrawalHints = ReturnType<typeof withdrawalHints>;

/** Sends each hint after the commit of `tx`. */
export function withdrawalHints(hints: Hints) {
  return {
    created(tx: Transaction, withdrawal: Withdrawal): void {
      const data = { ...announcedFields(withdrawal), status: 'PENDING' as const, providerTxId: null };
      hints.sendAfter(tx, { ...ownerOf(withdrawal), type: 'withdrawal.created', data });
    },
    approved(tx: Transaction, withdrawal: Withdrawal): void {
      const data = { ...announcedFields(withdrawal), status: 'APPROVED' as const, providerTxId: null };
      hints.sendAfter(tx, { ...ownerOf(withdrawal), type: 'withdrawal.approved', data });
    },
  };
}

function ownerOf({ id: aggregateId, merchantId, environment, sequence }: Withdrawal) {
  return { merchantId, environment, aggregateId, sequence };
}
