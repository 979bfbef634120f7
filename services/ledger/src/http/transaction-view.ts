import type { WalletTransactionView } from '@plataforma/contracts';
import type { WalletTransaction } from '../domain/statement.ts';

export function transactionView(row: WalletTransaction): WalletTransactionView {
  return {
    id: row.id,
    type: row.type,
    amount: row.amount,
    description: row.description,
    createdAt: row.createdAt.toISOString(),
    chargeId: row.chargeId,
    withdrawalId: row.withdrawalId,
    paymentMethod: row.paymentMethod,
    balanceAfter: row.balanceAfter,
  };
}
