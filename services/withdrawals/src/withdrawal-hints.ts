import type { Transaction } from '@plataforma/data';
import type { Hints } from '@plataforma/messaging';
import { termsOf } from './domain/announcement.ts';
import type { Withdrawal } from './domain/withdrawal.ts';

/** What live lists are told of withdrawals besides their events; it may be lost, and costs nothing. */
export type WithdrawalHints = ReturnType<typeof withdrawalHints>;

/** Each of what becomes true with `tx`. */
export function withdrawalHints(hints: Hints) {
  return {
    created(tx: Transaction, withdrawal: Withdrawal): void {
      const data = { ...termsOf(withdrawal), status: 'PENDING' as const, providerTxId: null };
      hints.sendAfter(tx, { ...ownerOf(withdrawal), type: 'withdrawal.created', data });
    },
    approved(tx: Transaction, withdrawal: Withdrawal): void {
      const data = { ...termsOf(withdrawal), status: 'APPROVED' as const, providerTxId: null };
      hints.sendAfter(tx, { ...ownerOf(withdrawal), type: 'withdrawal.approved', data });
    },
  };
}

function ownerOf({ id: aggregateId, merchantId, environment, sequence }: Withdrawal) {
  return { merchantId, environment, aggregateId, sequence };
}
