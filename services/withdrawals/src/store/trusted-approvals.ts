import type { Sealing } from '@plataforma/tables';
import { TRUSTED_APPROVAL } from '../domain/approval.ts';
import {
  WITHDRAWAL_COLUMNS,
  type WithdrawalRow,
  withdrawalOf,
  withdrawalsToSeal,
} from './withdrawal-rows.ts';
import { saveWithdrawal } from './withdrawals.ts';

const FIND = `
  SELECT ${WITHDRAWAL_COLUMNS.join(', ')} FROM withdrawals
  WHERE status IN ('PENDING', 'APPROVED') AND (first_approver IS NOT NULL AND first_approval IS NULL
    OR second_approver IS NOT NULL AND second_approval IS NULL)
  ORDER BY id FOR NO KEY UPDATE`;

/**
 * Marks the approvals that an earlier release recorded without a token, so that their payouts can be sent.
 * One transaction locks all of these withdrawals, because few wait for a payout.
 */
export const approvalsToTrust: Sealing = {
  table: { ...withdrawalsToSeal.table, name: 'approvals' },
  seal: (database) =>
    database.transaction(async (tx) => {
      const rows = await tx.queryUnprepared<WithdrawalRow>(FIND, []);
      for (const row of rows) {
        const { firstApprover, firstApproval, secondApprover, secondApproval, ...withdrawal } =
          withdrawalOf(row);
        await saveWithdrawal(tx, {
          ...{ ...withdrawal, firstApprover, secondApprover },
          firstApproval: firstApprover && (firstApproval ?? TRUSTED_APPROVAL),
          secondApproval: secondApprover && (secondApproval ?? TRUSTED_APPROVAL),
        });
      }
      return rows.length;
    }),
};
