import type { WalletTransactionView } from '@plataforma/contracts';
import type { NamedTransaction } from '../domain/statement.ts';

export function transactionView(row: NamedTransaction): WalletTransactionView {
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
    occurredAt: row.occurredAt.toISOString(),
    externalId: row.externalId,
    endToEndId: row.endToEndId,
    nsu: row.nsu,
    authorizationCode: row.authorizationCode,
    payerName: row.payerName,
    payeeName: row.payeeName,
    refundId: row.refundId,
    settlesAt: row.settlesAt?.toISOString() ?? null,
    dispute: disputeIn(row),
    movement: row.movement ?? null,
  };
}

function disputeIn({ disputeId: id, disputeOutcome: outcome, disputeResolvedAt }: NamedTransaction) {
  return id === null ? null : { id, outcome, resolvedAt: disputeResolvedAt?.toISOString() ?? null };
}
